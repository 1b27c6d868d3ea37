// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <string_view>

#include <ridge/base/text.hpp>
#include <ridge/model/roofline.hpp>

// Constants that all parts of a panel share: sizes in SVG units, shapes by level, areas by time.
namespace ridge::report {

inline constexpr double left = 84, top = 62, plot_width = 700, tallest = 560, bottom = 86;
inline constexpr double gap = 28, key_width = 400, row_height = 17;

inline constexpr std::size_t most_points = 35;
inline constexpr int colours = 8;

[[nodiscard]] inline double length_of(std::string_view words) {
  return 6.7 * static_cast<double>(display_width(words));
}

[[nodiscard]] inline std::string_view shape_of(std::string_view level) {
  if (level == "L2" || level == "cache") return "square";
  if (level == "L3") return "diamond";
  return level == "L1" || level == "shared" ? "triangle" : "circle";
}

[[nodiscard]] inline double radius_of(const model::roofline_point& p) {
  return std::sqrt(20 + 170 * p.time_share);
}

}  // namespace ridge::report
