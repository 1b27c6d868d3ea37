// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <ridge/model/run.hpp>

namespace ridge::app {

struct recomputed {
  std::size_t comparisons = 0;
  std::size_t medians = 0;
  std::vector<std::string> differences{};  // a line each; empty: the file says what its samples say
};

// Computes medians, ratios, intervals and verdicts of a run again from its raw samples (decision 0024). The
// moments of the looks are not kept, so an interval must be two order statistics of the log ratios that stand
// symmetrically and have at least the confidence that the file claims.
[[nodiscard]] recomputed recompute(const model::run& run);

}  // namespace ridge::app
