// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <ridge/store/store.hpp>

namespace ridge::store {

// Seconds to commit `samples` samples in families of 1,000, one transaction each; making them is not timed.
// Adds a run to the store.
[[nodiscard]] double measure_write(store& target, std::size_t samples);

struct history_times {
  double newest_s = 0;  // the newest 100 comparisons of one experiment and candidate
  double all_s = 0;     // every comparison of that experiment
};

// Seconds to read the history of an experiment that `runs` runs hold, half of the store being another
// experiment's: the median of five. Adds 2 × `runs` comparisons in `runs` runs to the store first.
[[nodiscard]] history_times measure_history(store& source, std::size_t runs);

}  // namespace ridge::store
