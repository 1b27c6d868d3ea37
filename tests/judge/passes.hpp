// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace ridge::chain {

inline constexpr int steps = 64;

// One step of the chain on one element.
inline float step(float x, int k) { return k % 2 == 0 ? x * 1.01F + 0.1F : x * 0.99F - 0.1F; }

// Applies the chain in one pass over the elements for each step, as somebody writes it who thinks in passes.
// It is the same machine code at the same alignment wherever it is compiled.
[[gnu::noinline, gnu::aligned(64)]] inline void in_passes(const float* source, float* target, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) target[i] = source[i];
  for (int k = 0; k < steps; ++k) {
    for (std::size_t i = 0; i < n; ++i) target[i] = step(target[i], k);
  }
}

}  // namespace ridge::chain
