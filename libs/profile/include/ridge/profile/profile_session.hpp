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

// A program to start: searched in PATH, with our environment and these variables besides.
struct program_start {
  std::vector<std::string> command{};
  std::vector<std::pair<std::string, std::string>> variables{};
};

struct session_settings {
  sampler_maker sampler{};  // empty: processors are not sampled
  sampler_settings sampling{};
};

struct profiled_program {
  cpu_profile cpu{};
  std::string sampler_unit{};             // "" where no processor was sampled
  std::optional<error> not_sampled{};     // why, where it was asked for
  std::int64_t unix_minus_clock_ns = 0;   // Unix time less CLOCK_MONOTONIC
  std::int64_t start_ns = 0, end_ns = 0;  // of the program, by CLOCK_MONOTONIC
  int exit_code = 0;                      // 128 and the signal's number where one killed it
};

// Runs a program to its end, its processors sampled. While it runs, SIGTERM and SIGHUP, and a SIGINT or
// SIGQUIT that another process sent, are passed on to it, and none of the four ends us. An error where the
// program cannot be started; without permission to sample it runs all the same.
[[nodiscard]] result<profiled_program> run_profiled(const program_start& what,
                                                    const session_settings& settings);

}  // namespace ridge::profile
