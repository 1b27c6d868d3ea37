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

struct product {
  std::uint32_t low, high;
};

// The 64-bit product of two words, in halves.
constexpr product times(std::uint32_t a, std::uint32_t b) {
#ifdef __CUDA_ARCH__  // one instruction; the compiler would widen all that follows to 64 bits
  product p;
  asm("{ .reg .u64 wide; mul.wide.u32 wide, %2, %3; mov.b64 {%0, %1}, wide; }"
      : "=r"(p.low), "=r"(p.high)
      : "r"(a), "r"(b));
  return p;
#else
  const std::uint64_t wide = std::uint64_t{a} * b;
  return {static_cast<std::uint32_t>(wide), static_cast<std::uint32_t>(wide >> 32)};
#endif
}

// Philox4x32-10: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011),
// section 3.3.
constexpr philox_block philox4x32(philox_block counter, std::uint32_t key0, std::uint32_t key1) {
  // Values of their own: device code cannot read an array of the host's, and would trap.
  constexpr std::uint32_t multiplier0 = philox_multiplier[0], multiplier1 = philox_multiplier[1];
  constexpr std::uint32_t step0 = philox_key_step[0], step1 = philox_key_step[1];
  for (int round = 0; round < 10; ++round) {
    const product p0 = times(multiplier0, counter.word[0]), p1 = times(multiplier1, counter.word[2]);
    counter = {{p1.high ^ counter.word[1] ^ key0, p1.low, p0.high ^ counter.word[3] ^ key1, p0.low}};
    key0 += step0;
    key1 += step1;
  }
  return counter;
}

}  // namespace ridge::device
