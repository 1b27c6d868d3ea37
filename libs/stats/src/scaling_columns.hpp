// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include <ridge/stats/scaling.hpp>

namespace ridge::stats {

// The coefficients, none negative and the first above zero, for which Σ_j a_j row_j comes nearest to one in
// every row (least squares): all sets of coefficients held at zero are tried.
[[nodiscard]] std::array<double, 3> fit_ones(std::span<const std::array<double, 3>> rows,
                                             std::size_t columns);

// The fit without the checks.
[[nodiscard]] scaling_fit solved(scaling_law law, std::span<const scaling_point> points);

}  // namespace ridge::stats
