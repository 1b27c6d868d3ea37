// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <initializer_list>

namespace ridge::gpu {

// How `n` floats are moved 16 bytes at a time: `head` of them lie before the first 16-byte boundary, then
// come `count` vectors of four, then fewer than four.
struct quads {
  std::size_t head = 0, count = 0, n = 0;
  // Elements outside the vectors, and the place of the i-th of them.
  [[nodiscard]] constexpr std::size_t singles() const { return n - 4 * count; }
  [[nodiscard]] constexpr std::size_t single(std::size_t i) const { return i < head ? i : i + 4 * count; }
};

// The same split for every array that begins at one of `addresses`; no vectors where their boundaries differ.
[[nodiscard]] quads quads_of(std::size_t n, std::initializer_list<const float*> addresses);

}  // namespace ridge::gpu
