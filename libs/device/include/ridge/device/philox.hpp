// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ridge::device {

// Four 32-bit words: a counter, or what Philox makes of it.
struct philox_block {
  std::uint32_t word[4];
};

inline constexpr std::uint32_t philox_multiplier[2] = {0xD2511F53u, 0xCD9E8D57u};
inline constexpr std::uint32_t philox_key_step[2] = {0x9E3779B9u, 0xBB67AE85u};

// Philox4x32-10: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011),
// section 3.3.
constexpr philox_block philox4x32(philox_block counter, std::uint32_t key0, std::uint32_t key1) {
  // Values of their own: device code cannot read an array of the host's, and would trap.
  constexpr std::uint64_t multiplier0 = philox_multiplier[0], multiplier1 = philox_multiplier[1];
  constexpr std::uint32_t step0 = philox_key_step[0], step1 = philox_key_step[1];
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = multiplier0 * counter.word[0];
    const std::uint64_t p1 = multiplier1 * counter.word[2];
    counter = {{static_cast<std::uint32_t>(p1 >> 32) ^ counter.word[1] ^ key0, static_cast<std::uint32_t>(p1),
                static_cast<std::uint32_t>(p0 >> 32) ^ counter.word[3] ^ key1,
                static_cast<std::uint32_t>(p0)}};
    key0 += step0;
    key1 += step1;
  }
  return counter;
}

}  // namespace ridge::device
