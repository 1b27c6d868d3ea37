// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ridge::plan::serve {

// Random numbers by address: a function of the seed, the item's index and what the number is for, in any
// order and on any thread: stats::random_bits at (seed, purpose, index).
[[nodiscard]] std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index, std::uint64_t purpose);
[[nodiscard]] double random_uniform(std::uint64_t seed, std::uint64_t index,
                                    std::uint64_t purpose);  // (0, 1)
[[nodiscard]] double random_exponential(std::uint64_t seed, std::uint64_t index, std::uint64_t purpose);
[[nodiscard]] double random_normal(std::uint64_t seed, std::uint64_t index, std::uint64_t purpose);
// Mean 1. Shape above 0. Marsaglia & Tsang, ACM TOMS 26 (2000).
[[nodiscard]] double random_gamma(double shape, std::uint64_t seed, std::uint64_t index,
                                  std::uint64_t purpose);
// Mean 1.
[[nodiscard]] double random_weibull(double shape, std::uint64_t seed, std::uint64_t index,
                                    std::uint64_t purpose);

}  // namespace ridge::plan::serve
