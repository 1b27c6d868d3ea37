// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ridge::stats {

// Random numbers by place instead of by turn: the value at (seed, stream, index) never depends on what else
// was drawn, so that work can be split over any number of threads. Each of the three numbers is mixed in once
// by SplitMix64 (Steele, Lea & Flood 2014).
// Returns 64 random bits.
[[nodiscard]] std::uint64_t random_bits(std::uint64_t seed, std::uint64_t stream, std::uint64_t index);

// Returns a uniform number in [0, 1) with 53 random bits.
[[nodiscard]] double random_uniform(std::uint64_t seed, std::uint64_t stream, std::uint64_t index);

// Returns a standard normal number, found by inverting the normal distribution function.
[[nodiscard]] double random_normal(std::uint64_t seed, std::uint64_t stream, std::uint64_t index);

}  // namespace ridge::stats
