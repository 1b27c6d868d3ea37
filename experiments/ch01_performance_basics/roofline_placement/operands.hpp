// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

namespace ridge::experiments::ch01_roofline_placement {

// What a normalization adds to the variance before it divides.
inline constexpr float norm_epsilon = 1e-5F;

// One kernel's operands, as in `workload`.
struct operands {
  std::size_t n = 0;
  std::span<const float> a{}, b{};
  std::span<float> c{};
};

}  // namespace ridge::experiments::ch01_roofline_placement
