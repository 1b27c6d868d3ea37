// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ridge::report {

enum class chart_scale : std::uint8_t { linear, logarithmic };

// An axis from the data's least to its greatest value; linear ones of values above zero begin at zero where
// that costs little.
struct chart_axis {
  std::string label{};
  std::string unit{};  // of format_quantity: ticks read "100 ms", "2 TB/s"; "" plain numbers
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
  std::string says{};  // under the pointer; "" nothing
};

struct chart_series {
  std::string name{};
  chart_mark as{chart_mark::line};
  std::vector<chart_point> points{};
  std::vector<double> low{}, high{};  // a band around a line, one of each a point; or both empty
};

struct chart {
  std::string title{};
  std::string subtitle{};
  chart_axis x{}, y{};
  std::vector<chart_series> series{};
  std::vector<chart_point> limits{};  // each a line across: y when x is 0, else x; `says` names it
};

// Points that are no numbers, or not above zero on a logarithmic axis, are left out. "" when nothing is left.
[[nodiscard]] std::string chart_svg(const chart& chart);

}  // namespace ridge::report
