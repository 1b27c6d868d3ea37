// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ridge::selftest {

// How what a benchmark measures from run to run spreads, in units of one standard deviation of its noise.
enum class noise {
  independent,  // normal
  tail,         // normal (0.7), and one run in twenty is later by an exponential with mean 6
  wandering,    // autoregressive with correlation 0.7
  two_modes,    // two levels 1.2 above and below, kept for 8 runs on average, and normal (0.5)
};

// Returns a series of runs at the level 100 without a change; one unit of noise is 1 %.
[[nodiscard]] std::vector<double> noise_series(noise kind, std::size_t runs, std::uint64_t seed);

}  // namespace ridge::selftest
