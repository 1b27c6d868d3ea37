// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ridge/app/command.hpp>
#include <ridge/base/result.hpp>
#include <ridge/harness/runner.hpp>

namespace ridge::app {

// A seed of 32 bits that no program can know before it runs, so that nothing it left behind fits the data.
// The run prints and stores it, so that the run can be repeated.
[[nodiscard]] std::uint64_t drawn_seed();

// The values of the options that are common to commands which measure experiments.
struct run_settings {
  std::string profile{"standard"};
  std::vector<std::string> axes{};
  std::vector<std::string> variants{};
  std::string backend{};
  std::vector<std::string> modes{};
  std::string budget{};
  std::string arm_budget{};
  std::string timeout{};
  std::string min_effect{"1%"};
  std::uint64_t seed = drawn_seed();
  int forks = 0;  // 0: the profile's
};

// Adds these options to a command; their values are written to `s`.
void add_run_settings(command& command, run_settings& s);

// Returns what the harness is asked to do; an error for a value that cannot be understood. Patterns of
// variants must match one of `experiments`.
[[nodiscard]] result<harness::run_options> options_of(const run_settings& s,
                                                      const std::vector<experiment>& experiments);

// Returns the words of --format: table, json, jsonl, csv, md, gbench, nvbench.
[[nodiscard]] std::vector<std::string> formats();

}  // namespace ridge::app
