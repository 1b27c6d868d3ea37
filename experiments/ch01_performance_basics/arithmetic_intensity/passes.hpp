// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace ridge::experiments::ch01_arithmetic_intensity {

// One pass over n elements with vectors as wide as this CPU has them; `source` may equal `target`.
// Operation `index` of the chain; operations `index` and `index + 1`; the whole chain.
void apply_one(std::size_t index, const float* source, float* target, std::size_t n);
void apply_two(std::size_t index, const float* source, float* target, std::size_t n);
void apply_all(const float* source, float* target, std::size_t n);
// With stores that go around the caches: their lines are not read first.
void apply_all_streaming(const float* source, float* target, std::size_t n);

}  // namespace ridge::experiments::ch01_arithmetic_intensity
