// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ridge/model/roofline.hpp>

namespace ridge::report {

struct svg_point {
  double x = 0, y = 0;
};

// What happens to width that a chart does not need: it shows further intensities to the right, or it is left
// out.
enum class spare_room : bool { left_out, shown };

// Maps intensities and rates to positions on a surface, with y downwards, in units of the caller. Decades are
// equally long on both axes.
class roofline_frame final {
 public:
  // The frame is as wide and high as the chart needs, at most `width` and `tallest`; what lies lower is not
  // shown.
  roofline_frame(const model::roofline_chart& chart, double width, double tallest, spare_room room);

  [[nodiscard]] double x(double intensity) const;
  [[nodiscard]] double y(double rate) const;
  [[nodiscard]] svg_point at(double intensity, double rate) const { return {x(intensity), y(rate)}; }
  [[nodiscard]] bool holds(svg_point p) const;
  [[nodiscard]] double width() const { return width_; }
  [[nodiscard]] double height() const { return (y_max_ - y_min_) * decade_; }
  [[nodiscard]] double decade() const { return decade_; }
  [[nodiscard]] double least_intensity() const;
  [[nodiscard]] double greatest_intensity() const;
  [[nodiscard]] double least_rate() const;
  [[nodiscard]] double greatest_rate() const;
  // Return the exponents of ten within each axis.
  [[nodiscard]] std::vector<int> x_decades() const;
  [[nodiscard]] std::vector<int> y_decades() const;

  // Return the line of a bandwidth within the frame, from the left or bottom up to `top` (the highest peak;
  // 0: none), and the line of a peak, from the steepest bandwidth on (bandwidth 0: from the left). Both ends
  // are equal where nothing is visible.
  [[nodiscard]] std::pair<svg_point, svg_point> diagonal(double bandwidth, double top) const;
  [[nodiscard]] std::pair<svg_point, svg_point> horizontal(double peak, double steepest) const;

 private:
  double width_, decade_ = 1;
  double x_min_ = -2, x_max_ = 2, y_min_ = 9, y_max_ = 12;  // exponents of ten
};

// Returns the label of a decade at an axis: "0.01", "100", "1 TFLOP/s".
[[nodiscard]] std::string decade_text(int exponent, std::string_view unit);

// Return the highest peak and the steepest bandwidth that are shown; 0 where there is none.
[[nodiscard]] double highest_peak(const model::roofline_chart& chart);
[[nodiscard]] double steepest_bandwidth(const model::roofline_chart& chart);

// Return the roofs that are drawn, and the kernels that can be drawn: those with operations, in their own
// order; when there are more than `most`, only the longest ones.
[[nodiscard]] std::vector<const model::roof*> shown_roofs(const model::roofline_chart& chart);
[[nodiscard]] std::vector<std::size_t> placed_points(const model::roofline_chart& chart, std::size_t most);

}  // namespace ridge::report
