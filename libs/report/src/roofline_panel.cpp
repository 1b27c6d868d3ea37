// SPDX-License-Identifier: Apache-2.0
#include "roofline_panel.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <ridge/base/units.hpp>

#include "roofline_layout.hpp"

namespace ridge::report {

double panel_width() { return left + plot_width + gap + key_width; }

panel::panel(const model::roofline_chart& chart, std::size_t most)
    : chart_(chart),
      frame_(chart, plot_width, tallest, spare_room::shown),
      points_(placed_points(chart, most)) {
  for (const auto i : points_)
    groups_.emplace(chart_.points[i].group, static_cast<int>(groups_.size()) % colours);
}

double panel::height() const {
  const auto rows = static_cast<double>(points_.size() + groups_.size()) + 5;
  return top + std::max(frame_.height() + bottom, rows * row_height);
}

void panel::draw(svg_drawing& drawing, svg_point corner, const model::roofline& whole) {
  drawing.open_group({corner.x + left, corner.y + top});
  title(drawing, whole);
  axes(drawing);
  block_marks();
  block_sweeps();
  roofs(drawing);
  ridges(drawing);
  sweeps(drawing);
  points(drawing);
  key(drawing);
  legend(drawing);
  drawing.close_group();
}

void panel::title(svg_drawing& drawing, const model::roofline& whole) const {
  auto name = chart_.device.empty() ? whole.machine : chart_.device;
  if (chart_.threads > 0)
    name += fmt::format(", {} thread{}", chart_.threads, chart_.threads == 1 ? "" : "s");
  drawing.text("title", {0, -36}, "Roofline of " + name);
  auto words = whole.machine;
  if (!whole.started.empty()) words += " · " + whole.started.substr(0, 10);
  if (!points_.empty())
    words += fmt::format(" · {} kernel{}", points_.size(), points_.size() == 1 ? "" : "s");
  drawing.text("muted", {0, -17}, words);
}

void panel::axes(svg_drawing& drawing) const {
  const double w = frame_.width(), h = frame_.height();
  drawing.rect("plot", {0, 0}, w, h);
  dead_zone(drawing);
  for (const int e : frame_.x_decades()) {
    const double x = frame_.x(std::pow(10, e));
    drawing.line("grid", {x, 0}, {x, h});
    drawing.text("muted", {x, h + 17}, decade_text(e, ""), "middle");
  }
  for (const int e : frame_.y_decades()) {
    const double y = frame_.y(std::pow(10, e));
    drawing.line("grid", {0, y}, {w, y});
    drawing.text("muted", {-8, y + 4}, decade_text(e, "FLOP/s"), "end");
  }
  drawing.rect("frame", {0, 0}, w, h);
  drawing.text("muted", {w / 2, h + 52}, "intensity, FLOP/byte", "middle");
}

void panel::dead_zone(svg_drawing& drawing) const {
  const double peak = highest_peak(chart_), steepest = steepest_bandwidth(chart_);
  if (peak <= 0 || steepest <= 0) return;
  const auto [a, b] = frame_.diagonal(steepest, peak);
  const double y = frame_.y(peak);
  if (a.x == b.x) return;
  drawing.path("dead", fmt::format("M0 0H{:.1f}V{:.1f}H{:.1f}L{:.1f} {:.1f}L0 {:.1f}z", frame_.width(), y,
                                   b.x, a.x, a.y, a.x > 0 ? frame_.height() : a.y));
}

}  // namespace ridge::report
