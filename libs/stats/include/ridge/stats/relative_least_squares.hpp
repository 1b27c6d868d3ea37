// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace ridge::stats {

// Returns the coefficients, none negative and the first above zero, for which Σ_j a_j row_j comes nearest to
// one in every row (least squares); it tries all sets of coefficients held at zero. Rows are terms of a model
// divided by the measured value, so that residuals are relative. There are at most three columns and at least
// as many rows. `weights` weighs the squares, one per row; an empty span weighs all rows equally.
[[nodiscard]] std::array<double, 3> relative_least_squares(std::span<const std::array<double, 3>> rows,
                                                           std::size_t columns,
                                                           std::span<const double> weights = {});

}  // namespace ridge::stats
