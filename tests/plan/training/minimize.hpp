// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

namespace ridge::plan::train {

// A coefficient to be fitted between two limits.
struct unknown {
  double start = 0, least = 0, most = 1;
};

// The values that minimize `cost`: Nelder and Mead (1965), restarted until there is no improvement. `cost` is
// only evaluated within the limits.
[[nodiscard]] std::vector<double> minimize(const std::function<double(const std::vector<double>&)>& cost,
                                           const std::vector<unknown>& unknowns);

}  // namespace ridge::plan::train
