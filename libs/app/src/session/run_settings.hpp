// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ridge/app/command.hpp>
#include <ridge/base/result.hpp>
#include <ridge/harness/runner.hpp>

namespace ridge::app {

// The words of the options that commands which measure experiments share.
struct run_settings {
  std::string profile{"standard"};
  std::vector<std::string> axes{};
  std::vector<std::string> variants{};
  std::string backend{};
  std::vector<std::string> modes{};
  std::string budget{};
  std::string arm_budget{};
  std::string min_effect{"1%"};
  std::uint64_t seed = 1;
  int forks = 0;  // 0: the profile's
};

void add_run_settings(command& command, run_settings& s);

// What the harness is to do; an error for what cannot be understood. Patterns of variants must name one of
// `experiments`.
[[nodiscard]] result<harness::run_options> options_of(const run_settings& s,
                                                      const std::vector<experiment>& experiments);

// table, json, jsonl, csv, md, gbench, nvbench
[[nodiscard]] std::vector<std::string> formats();

}  // namespace ridge::app
