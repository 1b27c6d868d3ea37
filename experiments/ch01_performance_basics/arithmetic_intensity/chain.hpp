// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

namespace ridge::experiments::ch01_arithmetic_intensity {

// f(x) = scale x + shift: a multiplication and an addition, each rounded.
struct operation {
  float scale = 1, shift = 0;
  [[nodiscard]] constexpr float operator()(float x) const { return scale * x + shift; }
};
inline constexpr std::array<operation, 4> chain{
    {{0.75F, 0.5F}, {-1.25F, 1.0F}, {0.625F, -0.25F}, {1.5F, 2.0F}}};

}  // namespace ridge::experiments::ch01_arithmetic_intensity
