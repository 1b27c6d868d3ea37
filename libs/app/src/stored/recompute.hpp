// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <ridge/model/run.hpp>

namespace ridge::app {

// What was computed again, and what differed.
struct recomputed {
  std::size_t comparisons = 0;
  std::size_t medians = 0;
  std::vector<std::string> differences{};  // one line each; empty: the file agrees with its samples
};

// Computes the medians, ratios, intervals and verdicts of a run again from its raw samples (decision 0024).
// The times of the looks are not stored, so an interval must consist of two order statistics of the log
// ratios at equal ranks from both ends, with at least the confidence that the file claims.
[[nodiscard]] recomputed recompute(const model::run& run);

}  // namespace ridge::app
