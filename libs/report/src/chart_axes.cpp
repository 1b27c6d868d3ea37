// SPDX-License-Identifier: Apache-2.0
#include "chart_axes.hpp"

#include <fmt/format.h>

#include <ridge/report/words.hpp>

#include "chart_ranges.hpp"

namespace ridge::report {

bool spans_decades(double least, double greatest) { return least > 0 && greatest >= 10 * least; }

chart_axis value_axis(const model::metric& metric, const std::vector<chart_series>& series) {
  chart whole{.series = series};
  const auto range = y_range(whole);
  const auto unit = metric.unit == "1" ? std::string("share") : metric.unit;
  chart_axis axis{.label = fmt::format("{}, {}", metric_title(metric), unit), .unit = metric.unit};
  if (!range.empty() && spans_decades(range.least, range.greatest)) {
    axis.scale = chart_scale::logarithmic;
    axis.label += ", logarithmic";
  }
  return axis;
}

}  // namespace ridge::report
