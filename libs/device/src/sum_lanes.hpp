// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace ridge::device {

// Sixteen partial sums: element i of a block belongs to lane i modulo 16. Infinities and NaN are counted
// only.
struct partial_sums {
  static constexpr std::size_t lanes = 16;
  alignas(64) double sum[lanes] = {};
  alignas(64) double sum_abs[lanes] = {};
  alignas(64) double not_finite[lanes] = {};
};

// Takes `groups` * 16 elements, in order within each lane, by the best instruction set at run time.
void add_groups(partial_sums& sums, const float* source, std::size_t groups);
void add_groups(partial_sums& sums, const double* source, std::size_t groups);

}  // namespace ridge::device
