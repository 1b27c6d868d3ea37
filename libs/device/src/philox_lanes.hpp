// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace ridge::device {

// Vector forms of word_at and normal_at, by the best instruction set at run time.

inline constexpr std::size_t lane_group = 32;  // numbers drawn together

// `groups` * 32 words of the stream, from word 32 * first_group on.
void draw_words(std::uint64_t key, std::uint64_t first_group, std::size_t groups, std::uint32_t* out);

// `groups` * 32 centred sums, from element 32 * first_group on, in two's complement.
void draw_normals(std::uint64_t key, std::uint64_t first_group, std::size_t groups, std::uint32_t* out);

}  // namespace ridge::device
