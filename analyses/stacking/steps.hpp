// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include <ridge/results/comparable.hpp>

namespace ridge::analyses::stacking {

// How many times better one variant is than another. Pairs say it where the two were compared; else both were
// timed in the same session, and the interval is what their own intervals allow.
struct measured_gain {
  double ratio = 1;
  interval ci{1, 1};
  bool paired = true;
  [[nodiscard]] bool gains() const { return ci.lo > 1; }
  [[nodiscard]] bool costs() const { return ci.hi < 1; }
};

// Two measured variants of a workload of which one uses exactly one technique more.
struct step {
  const model::workload_result* seen = nullptr;
  std::string adds{};                 // the technique
  std::set<std::string> on_top_of{};  // what both use
  std::string from_variant{}, up_to_variant{};
  measured_gain gain{};                  // of adding it
  std::optional<measured_gain> alone{};  // of adding it where neither uses any other technique
};

// Returns the steps among the declared variants of a workload, in the order of ladders.txt.
[[nodiscard]] std::vector<step> steps_of(const model::workload_result& seen);

}  // namespace ridge::analyses::stacking
