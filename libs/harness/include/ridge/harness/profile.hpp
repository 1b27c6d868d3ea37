// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/harness/mode.hpp>

namespace ridge::harness {

// How thorough a run is (decision 0022). The profile's budget is per arm; the protocol's `budget_s` covers
// the family: k arms get k times `budget_per_arm_s`.
struct profile {
  std::string name{"standard"};
  double budget_per_arm_s = 1.0;
  bool every_problem = true;  // false: the first value of each axis
  int forks = 1;
  bool counters = false;
  // Further modes to measure on a GPU besides cold samples; `graph` is always measured for calls under 20 us.
  std::vector<mode> modes{};
};
// The mode called "warm", "graph" or "latency"; "cold" is no answer, since it is always measured.
[[nodiscard]] result<mode> mode_named(std::string_view text);
// The profile called "minimal", "standard" or "deep".
[[nodiscard]] result<profile> profile_named(std::string_view name);

}  // namespace ridge::harness
