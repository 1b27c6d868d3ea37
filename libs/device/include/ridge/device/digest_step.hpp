// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <ridge/base/splitmix.hpp>

// What the digest of digest.hpp is made of, for those who compute it in parallel: with s[j] =
// digest_place(j),
//   chunk      s[j] = digest_step(s[j], word) for every 32nd word of 64 KiB, then the sum over j of
//              digest_mixed(s[j] ^ digest_place(j))
//   digest     digest_mixed(digest_mixed(bytes) + sum over chunks c of digest_mixed(chunk ^ digest_place(c)))
namespace ridge::device {

inline constexpr std::size_t digest_lanes = 32;
inline constexpr std::size_t digest_chunk_bytes = 64 << 10;
inline constexpr std::uint64_t digest_multiplier = 0x9E3779B1;

// One step of a lane: absorbs a word. A bijection of `state` for each word.
constexpr std::uint64_t digest_step(std::uint64_t state, std::uint64_t word) {
  const std::uint64_t product = (state ^ word) * digest_multiplier;
  return product << 32 | product >> 32;
}

// The finalizer of SplitMix64.
constexpr std::uint64_t digest_mixed(std::uint64_t x) { return splitmix_finalizer(x); }
// What tells lane or chunk `number` from the others: a multiple of SplitMix64's increment, never 0 for the
// first.
constexpr std::uint64_t digest_place(std::uint64_t number) { return (number + 1) * splitmix_increment; }

}  // namespace ridge::device
