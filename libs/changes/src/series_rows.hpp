// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <ridge/changes/series_changes.hpp>
#include <ridge/stats/change_points.hpp>

namespace ridge::changes {

// Returns the medians of points.
[[nodiscard]] std::vector<double> medians_of(std::span<const model::measured_point> points);

// Returns the standard deviation of normal values by their median absolute deviation, which outliers hardly
// move.
[[nodiscard]] double robust_deviation(std::span<const double> values);

// Returns a number that depends on what is measured: machine, experiment, problem, backend, variant, metric.
[[nodiscard]] std::uint64_t seed_of(const model::workload& workload, const model::measured_series& series);

// Returns the segments between changes that begin at these indices.
[[nodiscard]] std::vector<segment> segments_of(std::span<const model::measured_point> points,
                                               std::span<const std::size_t> starts);

// Returns the change between two neighbouring segments.
[[nodiscard]] change change_between(std::span<const model::measured_point> points, const segment& before,
                                    const segment& after, model::better better, std::uint64_t seed);

// Returns the direction of a step between two levels.
[[nodiscard]] direction direction_of(double before, double after, model::better better);

}  // namespace ridge::changes
