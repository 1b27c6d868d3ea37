// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include <ridge/base/splitmix.hpp>

namespace ridge::stats {

// Returns how many neighbouring residuals must stay together when they are resampled: 1 where their
// correlation is below 2/sqrt(n), else the length that suits an autoregressive series of that correlation
// (Carlstein, Annals of Statistics 14, 1986), at most a quarter of them.
[[nodiscard]] std::size_t resampling_block(std::span<const double> residuals);

// Fills `drawn` with blocks of the observations that begin at random places. A block is at least 1 long and
// not longer than the observations.
void draw_blocks(std::span<const double> x, std::size_t block, splitmix_generator& random,
                 std::span<double> drawn);

}  // namespace ridge::stats
