// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace ridge::gpu {

// Splits an array of `n` floats for accesses of 16 bytes: `head` floats before the first 16-byte boundary,
// then `count` vectors of four, then fewer than four floats.
struct quads {
  std::size_t head = 0, count = 0, n = 0;
  // Number of elements outside the vectors.
  [[nodiscard]] constexpr std::size_t singles() const { return n - 4 * count; }
  // Index in the array of the i-th element outside the vectors.
  [[nodiscard]] constexpr std::size_t single(std::size_t i) const { return i < head ? i : i + 4 * count; }
};

// Whether all addresses are multiples of 16 bytes, as accesses of so many need.
template <class... T>
[[nodiscard]] bool on_16_bytes(const T*... addresses) {
  return (reinterpret_cast<std::uintptr_t>(addresses) | ...) % 16 == 0;
}

// The split of `n` floats that fits every array that begins at one of `addresses`; without vectors where
// their 16-byte boundaries differ.
[[nodiscard]] quads quads_of(std::size_t n, std::initializer_list<const float*> addresses);

}  // namespace ridge::gpu
