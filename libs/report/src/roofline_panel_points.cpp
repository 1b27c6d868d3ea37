// SPDX-License-Identifier: Apache-2.0
#include "roofline_panel.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <ridge/base/units.hpp>

#include "roofline_layout.hpp"

namespace ridge::report {

void panel::block_marks() {
  for (const auto i : points_) {
    const auto& p = chart_.points[i];
    places_.block(place_of(p, p.intensity), mark_radius + 2);
    if (p.measured_intensity) places_.block(place_of(p, *p.measured_intensity), mark_radius + 2);
  }
}

void panel::block_sweeps() {
  for (const auto& s : chart_.sweeps) {
    for (const auto& step : s.steps) {
      if (step.intensity > 0) places_.block(frame_.at(step.intensity, step.flop_per_s), 12);
    }
  }
}

svg_point panel::place_of(const model::roofline_point& p, double intensity) const {
  const auto at = frame_.at(intensity, p.flop_per_s);
  return {at.x, std::min(at.y, frame_.height() - mark_radius - 3)};
}

bool panel::is_below(const model::roofline_point& p) const {
  return frame_.y(p.flop_per_s) > frame_.height();
}

void panel::sweeps(svg_drawing& drawing) const {
  for (std::size_t i = 0; i < chart_.sweeps.size(); ++i) {
    const auto colour = i % colours;
    std::string d;
    for (const auto& s : chart_.sweeps[i].steps) {
      if (s.intensity <= 0) continue;
      const auto at = frame_.at(s.intensity, s.flop_per_s);
      d += fmt::format("{}{:.1f} {:.1f}", d.empty() ? 'M' : 'L', at.x, at.y);
      drawing.mark(fmt::format("dot f{}", colour), shape_of(chart_.sweeps[i].level), at, 3.4,
                   fmt::format("{} multiply-adds per element: {:.1f} % of the roof", s.fma_per_element,
                               100 * s.share));
    }
    drawing.path(fmt::format("knee c{}", colour), d);
  }
}

void panel::points(svg_drawing& drawing) {
  for (const auto i : points_) mark(drawing, chart_.points[i]);
  for (std::size_t n = 0; n < points_.size(); ++n) number(drawing, chart_.points[points_[n]], n);
}

void panel::mark(svg_drawing& drawing, const model::roofline_point& p) const {
  const auto at = place_of(p, p.intensity);
  const int colour = groups_.at(p.group);
  const auto says =
      fmt::format("{}\n{}, {} FLOP/B, {} of {}", p.kernel, format_quantity(p.flop_per_s, "FLOP/s"),
                  format_quantity(p.intensity, ""), share_text(p.verdict.share), p.verdict.roof);
  if (p.flop_per_s > 0 && p.flop_per_s_ci.width() > 0.02 * p.flop_per_s && p.flop_per_s_ci.lo > 0)
    drawing.line(fmt::format("bar c{}", colour), frame_.at(p.intensity, p.flop_per_s_ci.lo),
                 frame_.at(p.intensity, p.flop_per_s_ci.hi));
  if (p.measured_intensity) {
    const auto counted = place_of(p, *p.measured_intensity);
    arrow(drawing, at, counted, mark_radius, colour);
    drawing.mark(fmt::format("dot f{}", colour), shape_of(p.level), counted, mark_radius,
                 says + ", bytes counted");
  }
  drawing.mark(fmt::format("hollow c{}", colour), shape_of(p.level), at, mark_radius, says);
}

void panel::arrow(svg_drawing& drawing, svg_point start, svg_point until, double radius, int colour) {
  const double way = until.x < start.x ? -1 : 1;
  if (std::abs(until.x - start.x) < 2 * radius + 8) return;
  const double head = until.x - way * (radius + 2);
  drawing.path(fmt::format("arrow c{}", colour),
               fmt::format("M{:.1f} {:.1f}H{:.1f}m{:.1f} -4l{:.1f} 4l{:.1f} 4", start.x + way * radius,
                           start.y, head, -way * 5, way * 5, -way * 5));
}

void panel::number(svg_drawing& drawing, const model::roofline_point& p, std::size_t n) {
  const auto at = place_of(p, p.intensity);
  const auto words = std::to_string(n + 1) + (is_below(p) ? "↓" : "");
  const auto spot_of = places_.beside(at, mark_radius, length_of(words), frame_.width(), frame_.height());
  const double far = std::hypot(spot_of.x - at.x, spot_of.y - at.y);
  if (far > mark_radius + 15) {
    const double to_mark = mark_radius / far, to_text = 1 - 8 / far;
    const auto between = [&](double t) {
      return svg_point{at.x + t * (spot_of.x - at.x), at.y + t * (spot_of.y - at.y)};
    };
    drawing.line("lead", between(to_mark), between(to_text));
  }
  drawing.text("halo", {spot_of.x, spot_of.y + 4}, words, "middle");
  drawing.text(fmt::format("number f{}", groups_.at(p.group)), {spot_of.x, spot_of.y + 4}, words, "middle");
}

}  // namespace ridge::report
