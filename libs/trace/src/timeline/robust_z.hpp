// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace ridge::trace {

// Returns how far each value lies from the median, in robust standard deviations: 0.6745 (x - median) / MAD,
// and (x - median) / (1.2533 mean absolute deviation) where the MAD is 0 (Iglewicz and Hoaglin 1993); 0 where
// all are equal.
[[nodiscard]] std::vector<double> robust_z(const std::vector<std::int64_t>& values);

}  // namespace ridge::trace
