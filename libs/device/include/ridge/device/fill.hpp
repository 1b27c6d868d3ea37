// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <ridge/base/dtype.hpp>
#include <ridge/device/distribution.hpp>

namespace ridge::device {

// Writes elements [first, first + n) of the stream `key` of `d` to host memory, where n = bytes of `target` /
// size of `type`. `whole_count` is the number of elements of the whole array, which a permutation needs when
// a part is filled; 0: the target is the whole. The numbers are those of generate.hpp and line.hpp, bit for
// bit, whichever instruction set computes them. `target` is aligned to the type. Bug: a distribution that the
// type cannot hold (normal of an integer type, integers below more than the type counts, random bits of a
// signed or floating type).
void fill(std::span<std::byte> target, dtype type, const distribution& d, std::uint64_t key,
          std::uint64_t first = 0, std::uint64_t whole_count = 0);

}  // namespace ridge::device
