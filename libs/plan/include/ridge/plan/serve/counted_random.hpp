// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ridge::plan::serve {

// Random numbers as a function of the seed, the index of the item and the purpose of the number: they do not
// depend on the order of calls or on the thread. They come from stats::random_bits at (seed, purpose, index).
// Bits: 64 uniform ones. Uniform: within (0, 1). Exponential: mean 1. Normal: mean 0, deviation 1.
[[nodiscard]] std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index, std::uint64_t purpose);
[[nodiscard]] double random_uniform(std::uint64_t seed, std::uint64_t index, std::uint64_t purpose);
[[nodiscard]] double random_exponential(std::uint64_t seed, std::uint64_t index, std::uint64_t purpose);
[[nodiscard]] double random_normal(std::uint64_t seed, std::uint64_t index, std::uint64_t purpose);
// Gamma distribution with mean 1; the shape is above 0. Method: Marsaglia & Tsang, ACM TOMS 26 (2000).
[[nodiscard]] double random_gamma(double shape, std::uint64_t seed, std::uint64_t index,
                                  std::uint64_t purpose);
// Weibull distribution with mean 1; the shape is above 0.
[[nodiscard]] double random_weibull(double shape, std::uint64_t seed, std::uint64_t index,
                                    std::uint64_t purpose);

}  // namespace ridge::plan::serve
