// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace ridge::cpu {

// The sum of the terms by the widest vectors of this CPU, with so many vectors of sums whose additions do not
// wait for one another. The order of the additions depends on the number of terms and on the CPU alone.
[[nodiscard]] float sum_by_1_vector(std::span<const float> terms);
[[nodiscard]] float sum_by_4_vectors(std::span<const float> terms);
[[nodiscard]] float sum_by_8_vectors(std::span<const float> terms);

}  // namespace ridge::cpu
