// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ridge::stats {

// Random numbers by place, not by turn: the value at (seed, stream, index) never depends on what else was
// drawn, so that work can be split over any number of threads. Mixing of SplitMix64 (Steele, Lea & Flood
// 2014), once for each of the three.
[[nodiscard]] std::uint64_t random_bits(std::uint64_t seed, std::uint64_t stream, std::uint64_t index);

// In [0, 1), 53 bits.
[[nodiscard]] double random_uniform(std::uint64_t seed, std::uint64_t stream, std::uint64_t index);

// Standard normal, by the inverse of its distribution function.
[[nodiscard]] double random_normal(std::uint64_t seed, std::uint64_t stream, std::uint64_t index);

}  // namespace ridge::stats
