// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <ridge/store/store.hpp>

namespace ridge::store {

// Returns the seconds that it takes to commit `samples` samples in families of 1,000, one transaction each;
// generating them is not timed. Adds a run to the store.
[[nodiscard]] double measure_write(store& target, std::size_t samples);

// Seconds that two reads of a history take.
struct history_times {
  double newest_s = 0;  // the newest 100 comparisons of one experiment and candidate
  double all_s = 0;     // every comparison of that experiment
};

// Returns the median of five times to read the history of an experiment that `runs` runs hold, where half of
// the store belongs to another experiment. Adds 2 × `runs` comparisons in `runs` runs to the store first.
[[nodiscard]] history_times measure_history(store& source, std::size_t runs);

}  // namespace ridge::store
