// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/report/render.hpp>

namespace ridge::report {

enum class chart_scale : std::uint8_t { linear, logarithmic };

// An axis from the least to the greatest value of the data; a linear axis of values above zero starts at zero
// where that wastes little room.
struct chart_axis {
  std::string label{};
  // As in format_quantity: ticks read "100 ms", "2 TB/s"; empty: plain numbers; "n": sizes, whose ticks on a
  // logarithmic axis are powers of two.
  std::string unit{};
  chart_scale scale{chart_scale::linear};
  std::vector<std::string> categories{};  // of a linear axis: the words at 0, 1, 2, ... instead of numbers
};

enum class chart_mark : std::uint8_t {
  line,  // through the points in their order
  dashed,
  points,
  steps,    // a line that keeps each value until the next
  outline,  // a closed, filled shape through the points in their order
};

struct chart_point {
  double x = 0, y = 0;
  std::string says{};  // text shown under the pointer; empty: none
};

struct chart_series {
  std::string name{};
  chart_mark mark{chart_mark::line};
  std::vector<chart_point> points{};
  // A band around a line, or a bar at each of single points: one value of each per point; or both empty.
  std::vector<double> low{}, high{};
  std::size_t key = own_key;  // series of one key share colour and shape; own_key: the place in the chart
  static constexpr std::size_t own_key = SIZE_MAX;
};

// A line across the chart.
struct chart_limit {
  double value = 0;  // on the vertical axis
  std::string says{};
};

struct chart {
  std::string title{};
  std::string subtitle{};
  chart_axis x{}, y{};
  std::vector<chart_series> series{};
  std::vector<chart_limit> limits{};
};

// Returns the chart as an SVG file. Series differ by colour and by the shape of their points or the dashes of
// their lines; those without a name are not in the key. Points that are not numbers, or not above zero on a
// logarithmic axis, are left out. Returns an empty text when nothing is left.
[[nodiscard]] std::string chart_svg(const chart& chart);

// Returns several charts below each other as one SVG file; empty when nothing is left of them.
[[nodiscard]] std::string charts_svg(const std::vector<chart>& charts);

// Returns the chart as an svg element for a page that holds chart_style() in its style element.
[[nodiscard]] std::string chart_figure(const chart& chart);
[[nodiscard]] std::string_view chart_style();

// Returns the chart in braille cells for a terminal. Series are told apart by the marks of mark_of, which the
// key below the chart names. Empty where chart_svg is.
[[nodiscard]] std::string chart_braille(const chart& chart, const options& options = {});

// The cells that a chart in braille may take on a screen. Its title, labels and key take some lines more.
struct cell_room {
  std::size_t columns = 100;  // 40 to 300
  std::size_t rows = 16;      // of the grid between the axes, 4 to 100
  bool color = false;
};
// Returns the same for a room of any height.
[[nodiscard]] std::string chart_braille_within(const chart& chart, const cell_room& room);

}  // namespace ridge::report
