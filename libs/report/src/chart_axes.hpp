// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/model/measurement.hpp>
#include <ridge/report/chart.hpp>

namespace ridge::report {

// Returns the axis of a metric for these series: named with its unit, logarithmic where the values span a
// decade.
[[nodiscard]] chart_axis value_axis(const model::metric& metric, const std::vector<chart_series>& series);

// Returns whether values from `least` to `greatest` are shown on a logarithmic axis.
[[nodiscard]] bool spans_decades(double least, double greatest);

}  // namespace ridge::report
