// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

// The kernels that memory bounds, with vectors as wide as this CPU has them; one thread.
namespace ridge::experiments::ch01_roofline_placement {

void add(const float* a, const float* b, float* c, std::size_t count);
[[nodiscard]] float dot(const float* a, const float* b, std::size_t count);
void softmax_row(const float* source, float* target, std::size_t count);
void norm_row(const float* source, float* target, std::size_t count);

}  // namespace ridge::experiments::ch01_roofline_placement
