// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ridge::experiments::ch01_precision_ladder {

// Operands converted for the GPU's matrix instructions: rows filled up with zeros to whole tiles and whole
// stages, so that no kernel asks where the matrix ends.
inline constexpr std::int64_t padded_rows_to = 128;
inline constexpr std::int64_t padded_bytes_to = 128;  // of a row

[[nodiscard]] constexpr std::int64_t round_up(std::int64_t value, std::int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

// Each scale on 16 bytes of its own: cuBLASLt from 12.9 on takes no other.
inline constexpr std::size_t floats_a_scale = 4;

struct padded_operands {
  std::span<std::byte> a{}, b{};  // round_up(rows, padded_rows_to) rows of `pitch` bytes
  // Of an eight-bit type: what a step of a stands for and, floats_a_scale further, of b.
  std::span<float> scales{};
  std::int64_t pitch = 0;  // bytes
};

}  // namespace ridge::experiments::ch01_precision_ladder
