// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/report/chart.hpp>

#include "chart_scale.hpp"
#include "svg_page.hpp"
#include "svg_text.hpp"

namespace ridge::report {
namespace {

constexpr double margin_left = 96, margin_top = 62, axes_width = 720, axes_height = 420, margin_bottom = 64;
constexpr double key_row = 18, glyph_width = 6.7;
constexpr std::size_t colours = 8;

struct range {
  double least = std::numeric_limits<double>::infinity(), greatest = -std::numeric_limits<double>::infinity();
  void take(double v, const chart_axis& axis) {
    if (!std::isfinite(v) || (axis.scale == chart_scale::logarithmic && v <= 0)) return;
    least = std::min(least, v);
    greatest = std::max(greatest, v);
  }
  [[nodiscard]] bool empty() const { return least > greatest; }
};

range x_range(const chart& chart) {
  range all;
  for (const auto& s : chart.series) {
    for (const auto& p : s.points) all.take(p.x, chart.x);
  }
  return all;
}

range y_range(const chart& chart) {
  range all;
  for (const auto& s : chart.series) {
    for (const auto& p : s.points) all.take(p.y, chart.y);
    for (const double v : s.low) all.take(v, chart.y);
    for (const double v : s.high) all.take(v, chart.y);
  }
  for (const auto& l : chart.limits) {
    if (l.x == 0) all.take(l.y, chart.y);
  }
  return all;
}

class plot final {
 public:
  plot(const chart& chart, range x, range y)
      : chart_(chart),
        x_(chart.x, x.least, x.greatest, axes_width),
        y_(chart.y, y.least, y.greatest, axes_height) {}

  void draw(svg_drawing& drawing) const {
    drawing.open_group({margin_left, margin_top});
    drawing.text("title", {0, -36}, chart_.title);
    drawing.text("muted", {0, -16}, chart_.subtitle);
    axes(drawing);
    for (std::size_t i = 0; i < chart_.series.size(); ++i) series(drawing, chart_.series[i], i % colours);
    for (const auto& l : chart_.limits) limit(drawing, l);
    key(drawing);
    drawing.close_group();
  }

 private:
  [[nodiscard]] spot place(double x, double y) const { return {x_.at(x), axes_height - y_.at(y)}; }

  void axes(svg_drawing& drawing) const {
    drawing.rect("plot", {0, 0}, axes_width, axes_height);
    for (const double t : x_.ticks()) {
      const double x = x_.at(t);
      drawing.line("grid", {x, 0}, {x, axes_height});
      drawing.text("muted", {x, axes_height + 18}, x_.text(t), "middle");
    }
    for (const double t : y_.ticks()) {
      const double y = axes_height - y_.at(t);
      drawing.line("grid", {0, y}, {axes_width, y});
      drawing.text("muted", {-8, y + 4}, y_.text(t), "end");
    }
    drawing.rect("frame", {0, 0}, axes_width, axes_height);
    drawing.text("muted", {axes_width / 2, axes_height + 44}, chart_.x.label, "middle");
    drawing.text("muted", {-80, axes_height / 2}, chart_.y.label, "middle", 90);
  }

  void band(svg_drawing& drawing, const chart_series& s, std::size_t colour) const {
    if (s.low.size() != s.points.size() || s.high.size() != s.points.size()) return;
    std::string there, back;
    for (std::size_t i = 0; i < s.points.size(); ++i) {
      if (!x_.takes(s.points[i].x) || !y_.takes(s.low[i]) || !y_.takes(s.high[i])) continue;
      const auto up = place(s.points[i].x, s.high[i]), down = place(s.points[i].x, s.low[i]);
      there += fmt::format("{}{:.1f} {:.1f}", there.empty() ? "M" : "L", up.x, up.y);
      back = fmt::format("L{:.1f} {:.1f}", down.x, down.y) + back;
    }
    if (!there.empty()) drawing.path(fmt::format("area f{}", colour), there + back + "z");
  }

  [[nodiscard]] std::string outline(const chart_series& s) const {
    std::string d;
    for (const auto& p : s.points) {
      if (!x_.takes(p.x) || !y_.takes(p.y)) continue;
      const auto at = place(p.x, p.y);
      if (d.empty())
        d = fmt::format("M{:.1f} {:.1f}", at.x, at.y);
      else
        d += s.mark == chart_mark::steps ? fmt::format("H{:.1f}V{:.1f}", at.x, at.y)
                                         : fmt::format("L{:.1f} {:.1f}", at.x, at.y);
    }
    return d;
  }

  void series(svg_drawing& drawing, const chart_series& s, std::size_t colour) const {
    band(drawing, s, colour);
    if (s.mark != chart_mark::points)
      drawing.path(fmt::format("curve c{}{}", colour, s.mark == chart_mark::dashed ? " dashed" : ""),
                   outline(s));
    for (const auto& p : s.points) {
      if ((s.mark == chart_mark::points || !p.says.empty()) && x_.takes(p.x) && y_.takes(p.y))
        drawing.mark(fmt::format("dot f{}", colour), "circle", place(p.x, p.y), 3.4, p.says);
    }
  }

  void limit(svg_drawing& drawing, const chart_point& l) const {
    if (l.x == 0) {
      const double y = axes_height - y_.at(l.y);
      drawing.line("drop", {0, y}, {axes_width, y});
      return drawing.text("small", {axes_width - 4, y - 4}, l.says, "end");
    }
    const double x = x_.at(l.x);
    if (x < 0 || x > axes_width) return;
    drawing.line("drop", {x, 0}, {x, axes_height});
    drawing.text("small", {x + 4, 12}, l.says);
  }

  void key(svg_drawing& drawing) const {
    double y = 10;
    for (std::size_t i = 0; i < chart_.series.size(); ++i, y += key_row) {
      const auto& s = chart_.series[i];
      if (s.mark == chart_mark::points)
        drawing.mark(fmt::format("dot f{}", i % colours), "circle", {axes_width + 26, y}, 3.4, "");
      else
        drawing.line(fmt::format("curve c{}{}", i % colours, s.mark == chart_mark::dashed ? " dashed" : ""),
                     {axes_width + 16, y}, {axes_width + 36, y});
      drawing.text("label", {axes_width + 42, y + 4}, s.name);
    }
  }

  const chart& chart_;
  chart_ruler x_, y_;
};

double legend_width(const chart& chart) {
  std::size_t longest = 0;
  for (const auto& s : chart.series) longest = std::max(longest, display_width(s.name));
  return 60 + glyph_width * static_cast<double>(longest);
}

}  // namespace

std::string chart_svg(const chart& chart) {
  const auto x = x_range(chart), y = y_range(chart);
  if (x.empty() || y.empty()) return {};
  svg_drawing drawing;
  plot(chart, x, y).draw(drawing);
  const double rows = key_row * static_cast<double>(chart.series.size()) + 20;
  return svg_page(chart.title, margin_left + axes_width + legend_width(chart),
                  margin_top + std::max(axes_height + margin_bottom, rows), std::move(drawing).take());
}

}  // namespace ridge::report
