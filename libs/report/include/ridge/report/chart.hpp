// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ridge::report {

enum class chart_scale : std::uint8_t { linear, logarithmic };

// An axis from the least to the greatest value of the data; a linear axis of values above zero starts at zero
// where that wastes little room.
struct chart_axis {
  std::string label{};
  std::string unit{};  // as in format_quantity: ticks read "100 ms", "2 TB/s"; empty: plain numbers
  chart_scale scale{chart_scale::linear};
};

enum class chart_mark : std::uint8_t {
  line,  // through the points in their order
  dashed,
  points,
  steps,  // a line that keeps each value until the next
};

struct chart_point {
  double x = 0, y = 0;
  std::string says{};  // text shown under the pointer; empty: none
};

struct chart_series {
  std::string name{};
  chart_mark mark{chart_mark::line};
  std::vector<chart_point> points{};
  std::vector<double> low{}, high{};  // a band around a line, one value of each per point; or both empty
};

struct chart {
  std::string title{};
  std::string subtitle{};
  chart_axis x{}, y{};
  std::vector<chart_series> series{};
  std::vector<chart_point>
      limits{};  // lines across the chart: horizontal at y when x is 0, else vertical at x
};

// Returns the chart as SVG. Points that are not numbers, or not above zero on a logarithmic axis, are left
// out. Returns an empty text when nothing is left.
[[nodiscard]] std::string chart_svg(const chart& chart);

}  // namespace ridge::report
