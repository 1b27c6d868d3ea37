// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include <ridge/stats/scaling.hpp>

namespace ridge::stats {

// Returns the fit without checking the points.
[[nodiscard]] scaling_fit solved(scaling_law law, std::span<const scaling_point> points);

}  // namespace ridge::stats
