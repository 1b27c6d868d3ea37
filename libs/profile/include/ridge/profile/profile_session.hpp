// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/profile/cpu_profile.hpp>
#include <ridge/profile/cpu_sampler.hpp>

namespace ridge::profile {

// A program to start: it is searched in PATH and gets the caller's environment with `variables` added.
struct program_start {
  std::vector<std::string> command{};
  std::vector<std::pair<std::string, std::string>> variables{};
};

// How to sample a program.
struct session_settings {
  sampler_maker sampler{};  // empty: processors are not sampled
  sampler_settings sampling{};
};

// What was recorded of a program.
struct profiled_program {
  cpu_profile cpu{};
  std::string sampler_unit{};             // "" where no processor was sampled
  std::optional<error> not_sampled{};     // why sampling failed, where it was requested
  std::int64_t unix_minus_clock_ns = 0;   // Unix time minus CLOCK_MONOTONIC
  std::int64_t start_ns = 0, end_ns = 0;  // start and end of the program on CLOCK_MONOTONIC
  int exit_code = 0;                      // 128 plus the signal's number where a signal killed it
};

// Runs a program to its end and samples its processors. While it runs, SIGTERM and SIGHUP, and a SIGINT or
// SIGQUIT sent by another process, are passed on to it, and none of the four ends the caller. Returns an
// error where the program cannot be started; without permission to sample it runs unsampled.
[[nodiscard]] result<profiled_program> run_profiled(const program_start& start,
                                                    const session_settings& settings);

}  // namespace ridge::profile
