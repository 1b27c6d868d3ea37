// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace ridge::experiments::ch01_double_buffering {

inline constexpr std::size_t block_floats = 64;
inline constexpr std::size_t row_blocks = 128;
inline constexpr std::size_t row_floats = row_blocks * block_floats;

}  // namespace ridge::experiments::ch01_double_buffering
