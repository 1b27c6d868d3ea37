// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/model/run.hpp>

namespace ridge::report {

// Returns the median time of one call in each round, in seconds and in the order of rounds; only the median
// where no samples were kept; nothing where no time was measured. For formats whose readers test such values.
[[nodiscard]] std::vector<double> round_times(const model::measurement& m);

}  // namespace ridge::report
