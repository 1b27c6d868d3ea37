// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace ridge::stats {

// The coefficients, none negative and the first above zero, for which Σ_j a_j row_j comes nearest to one in
// every row (least squares): all sets of coefficients held at zero are tried. Rows are terms of a model
// divided by what was measured, so that residuals are relative. At most three columns, at least as many rows;
// `weights` of the squares, one a row, or none: all one.
[[nodiscard]] std::array<double, 3> relative_least_squares(std::span<const std::array<double, 3>> rows,
                                                           std::size_t columns,
                                                           std::span<const double> weights = {});

}  // namespace ridge::stats
