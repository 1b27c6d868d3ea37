// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/model/roofline.hpp>

// Constants that all parts of a panel share: sizes in SVG units, shapes by level.
namespace ridge::report {

inline constexpr double left = 84, top = 62, plot_width = 700, tallest = 560, bottom = 86;
inline constexpr double gap = 28, key_width = 400, row_height = 17;

inline constexpr int colours = 8;

[[nodiscard]] inline double length_of(std::string_view words) {
  return 6.7 * static_cast<double>(display_width(words));
}

[[nodiscard]] inline std::string_view shape_of(std::string_view level) {
  if (level == "L2" || level == "cache") return "square";
  if (level == "L3") return "diamond";
  return level == "L1" || level == "shared" ? "triangle" : "circle";
}

// Marks have one size: kernels of one problem do the same work, so that a mark that grew with time would make
// the slowest of them the most prominent.
inline constexpr double mark_radius = 6;

// Returns "82 %", "4.1 %" or "<0.1 %": what is not zero does not read as zero.
[[nodiscard]] inline std::string share_text(double share) {
  if (share > 0 && share < 0.0005) return "<0.1 %";
  return fmt::format("{:.{}f} %", 100 * share, share < 0.0995 ? 1 : 0);
}

}  // namespace ridge::report
