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

constexpr double margin_left = 96, margin_top = 62, plot_width = 720, plot_height = 420, margin_bottom = 64;
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

range x_range(const chart& of) {
  range all;
  for (const auto& s : of.series) {
    for (const auto& p : s.points) all.take(p.x, of.x);
  }
  return all;
}

range y_range(const chart& of) {
  range all;
  for (const auto& s : of.series) {
    for (const auto& p : s.points) all.take(p.y, of.y);
    for (const double v : s.low) all.take(v, of.y);
    for (const double v : s.high) all.take(v, of.y);
  }
  for (const auto& l : of.limits) {
    if (l.x == 0) all.take(l.y, of.y);
  }
  return all;
}

class plot final {
 public:
  plot(const chart& of, range x, range y)
      : chart_(of), x_(of.x, x.least, x.greatest, plot_width), y_(of.y, y.least, y.greatest, plot_height) {}

  void draw(svg_drawing& to) const {
    to.open_group({margin_left, margin_top});
    to.text("title", {0, -36}, chart_.title);
    to.text("muted", {0, -16}, chart_.subtitle);
    axes(to);
    for (std::size_t i = 0; i < chart_.series.size(); ++i) series(to, chart_.series[i], i % colours);
    for (const auto& l : chart_.limits) limit(to, l);
    key(to);
    to.close_group();
  }

 private:
  [[nodiscard]] spot place(double x, double y) const { return {x_.at(x), plot_height - y_.at(y)}; }

  void axes(svg_drawing& to) const {
    to.rect("plot", {0, 0}, plot_width, plot_height);
    for (const double t : x_.ticks()) {
      const double x = x_.at(t);
      to.line("grid", {x, 0}, {x, plot_height});
      to.text("muted", {x, plot_height + 18}, x_.text(t), "middle");
    }
    for (const double t : y_.ticks()) {
      const double y = plot_height - y_.at(t);
      to.line("grid", {0, y}, {plot_width, y});
      to.text("muted", {-8, y + 4}, y_.text(t), "end");
    }
    to.rect("frame", {0, 0}, plot_width, plot_height);
    to.text("muted", {plot_width / 2, plot_height + 44}, chart_.x.label, "middle");
    to.text("muted", {-80, plot_height / 2}, chart_.y.label, "middle", 90);
  }

  void band(svg_drawing& to, const chart_series& s, std::size_t colour) const {
    if (s.low.size() != s.points.size() || s.high.size() != s.points.size()) return;
    std::string there, back;
    for (std::size_t i = 0; i < s.points.size(); ++i) {
      if (!x_.takes(s.points[i].x) || !y_.takes(s.low[i]) || !y_.takes(s.high[i])) continue;
      const auto up = place(s.points[i].x, s.high[i]), down = place(s.points[i].x, s.low[i]);
      there += fmt::format("{}{:.1f} {:.1f}", there.empty() ? "M" : "L", up.x, up.y);
      back = fmt::format("L{:.1f} {:.1f}", down.x, down.y) + back;
    }
    if (!there.empty()) to.path(fmt::format("area f{}", colour), there + back + "z");
  }

  [[nodiscard]] std::string outline(const chart_series& s) const {
    std::string d;
    for (const auto& p : s.points) {
      if (!x_.takes(p.x) || !y_.takes(p.y)) continue;
      const auto at = place(p.x, p.y);
      if (d.empty())
        d = fmt::format("M{:.1f} {:.1f}", at.x, at.y);
      else
        d += s.as == chart_mark::steps ? fmt::format("H{:.1f}V{:.1f}", at.x, at.y)
                                       : fmt::format("L{:.1f} {:.1f}", at.x, at.y);
    }
    return d;
  }

  void series(svg_drawing& to, const chart_series& s, std::size_t colour) const {
    band(to, s, colour);
    if (s.as != chart_mark::points)
      to.path(fmt::format("curve c{}{}", colour, s.as == chart_mark::dashed ? " dashed" : ""), outline(s));
    for (const auto& p : s.points) {
      if ((s.as == chart_mark::points || !p.says.empty()) && x_.takes(p.x) && y_.takes(p.y))
        to.mark(fmt::format("dot f{}", colour), "circle", place(p.x, p.y), 3.4, p.says);
    }
  }

  void limit(svg_drawing& to, const chart_point& l) const {
    if (l.x == 0) {
      const double y = plot_height - y_.at(l.y);
      to.line("drop", {0, y}, {plot_width, y});
      return to.text("small", {plot_width - 4, y - 4}, l.says, "end");
    }
    const double x = x_.at(l.x);
    if (x < 0 || x > plot_width) return;
    to.line("drop", {x, 0}, {x, plot_height});
    to.text("small", {x + 4, 12}, l.says);
  }

  void key(svg_drawing& to) const {
    double y = 10;
    for (std::size_t i = 0; i < chart_.series.size(); ++i, y += key_row) {
      const auto& s = chart_.series[i];
      if (s.as == chart_mark::points)
        to.mark(fmt::format("dot f{}", i % colours), "circle", {plot_width + 26, y}, 3.4, "");
      else
        to.line(fmt::format("curve c{}{}", i % colours, s.as == chart_mark::dashed ? " dashed" : ""),
                {plot_width + 16, y}, {plot_width + 36, y});
      to.text("label", {plot_width + 42, y + 4}, s.name);
    }
  }

  const chart& chart_;
  chart_ruler x_, y_;
};

double key_width(const chart& of) {
  std::size_t longest = 0;
  for (const auto& s : of.series) longest = std::max(longest, display_width(s.name));
  return 60 + glyph_width * static_cast<double>(longest);
}

}  // namespace

std::string chart_svg(const chart& of) {
  const auto x = x_range(of), y = y_range(of);
  if (x.empty() || y.empty()) return {};
  svg_drawing drawing;
  plot(of, x, y).draw(drawing);
  const double rows = key_row * static_cast<double>(of.series.size()) + 20;
  return svg_page(of.title, margin_left + plot_width + key_width(of),
                  margin_top + std::max(plot_height + margin_bottom, rows), std::move(drawing).take());
}

}  // namespace ridge::report
