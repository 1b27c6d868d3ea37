// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/report/chart.hpp>

#include "chart_ranges.hpp"
#include "chart_scale.hpp"
#include "cut_text.hpp"
#include "svg_page.hpp"
#include "svg_text.hpp"

namespace ridge::report {
namespace {

constexpr double least_margin_left = 96, margin_top = 62, axes_width = 720, axes_height = 420,
                 margin_bottom = 64;
constexpr double key_row = 18, glyph_width = 6.7, title_glyph_width = 10.4;
constexpr std::size_t colours = 8;

constexpr std::string_view shapes[] = {"circle", "square", "diamond", "triangle"};
constexpr std::string_view dashes[] = {"", " dash1", " dash2", " dash3"};

double legend_width(const chart& chart) {
  std::size_t longest = 0;
  for (const auto& s : chart.series) longest = std::max(longest, display_width(s.name));
  return longest == 0 ? 24 : 64 + glyph_width * static_cast<double>(longest);
}

class plot final {
 public:
  plot(const chart& chart, const chart_range& x, const chart_range& y)
      : chart_(chart),
        x_(chart.x, x.least, x.greatest, axes_width),
        y_(chart.y, y.least, y.greatest, axes_height) {
    for (const double t : y_.ticks())
      ticks_width_ = std::max(ticks_width_, glyph_width * static_cast<double>(display_width(y_.text(t))));
  }

  // Room for the values beside the vertical axis and, left of them, its label.
  [[nodiscard]] double margin_left() const { return std::max(least_margin_left, ticks_width_ + 40); }

  void draw(svg_drawing& drawing, double corner_y) const {
    drawing.open_group({margin_left(), corner_y + margin_top});
    drawing.text("title", {0, -36}, cut_to_page(chart_.title, title_glyph_width));
    drawing.text("muted", {0, -16}, cut_to_page(chart_.subtitle, glyph_width));
    axes(drawing);
    for (std::size_t i = 0; i < chart_.series.size(); ++i)
      series(drawing, chart_.series[i], key_of(chart_, i));
    for (const auto& l : chart_.limits) limit(drawing, l);
    key(drawing);
    drawing.close_group();
  }

 private:
  [[nodiscard]] svg_point place(double x, double y) const { return {x_.at(x), axes_height - y_.at(y)}; }

  void axes(svg_drawing& drawing) const {
    drawing.rect("plot", {0, 0}, axes_width, axes_height);
    for (const double t : x_.ticks()) {
      const double x = x_.at(t);
      drawing.line("grid", {x, 0}, {x, axes_height});
      drawing.text("muted", {x, axes_height + 18}, x_text(t), "middle");
    }
    for (const double t : y_.ticks()) {
      const double y = axes_height - y_.at(t);
      drawing.line("grid", {0, y}, {axes_width, y});
      drawing.text("muted", {-8, y + 4}, y_.text(t), "end");
    }
    drawing.rect("frame", {0, 0}, axes_width, axes_height);
    drawing.text("muted", {axes_width / 2, axes_height + 44}, chart_.x.label, "middle");
    drawing.text("muted", {16 - margin_left(), axes_height / 2}, chart_.y.label, "middle", 90);
  }

  // What stands above the axes and the key; the title of the drawing's element is whole.
  [[nodiscard]] std::string cut_to_page(std::string_view text, double width_of_glyph) const {
    return cut_text(text, static_cast<std::size_t>((axes_width + legend_width(chart_)) / width_of_glyph));
  }

  // Categories share the width; the key has the whole names.
  [[nodiscard]] std::string x_text(double tick) const {
    if (chart_.x.categories.empty()) return x_.text(tick);
    const double room = axes_width / static_cast<double>(chart_.x.categories.size()) / glyph_width;
    return cut_text(x_.text(tick), std::max<std::size_t>(4, static_cast<std::size_t>(room) - 1));
  }

  void band(svg_drawing& drawing, const chart_series& s, std::size_t colour) const {
    if (s.low.size() != s.points.size() || s.high.size() != s.points.size()) return;
    if (s.mark == chart_mark::points) return bars(drawing, s, colour);
    std::string there, back;
    for (std::size_t i = 0; i < s.points.size(); ++i) {
      if (!x_.takes(s.points[i].x) || !y_.takes(s.low[i]) || !y_.takes(s.high[i])) continue;
      const auto up = place(s.points[i].x, s.high[i]), down = place(s.points[i].x, s.low[i]);
      there += fmt::format("{}{:.1f} {:.1f}", there.empty() ? "M" : "L", up.x, up.y);
      back = fmt::format("L{:.1f} {:.1f}", down.x, down.y) + back;
    }
    if (!there.empty()) drawing.path(fmt::format("area f{}", colour % colours), there + back + "z");
  }

  void bars(svg_drawing& drawing, const chart_series& s, std::size_t colour) const {
    for (std::size_t i = 0; i < s.points.size(); ++i) {
      if (!x_.takes(s.points[i].x) || !y_.takes(s.low[i]) || !y_.takes(s.high[i])) continue;
      drawing.line(fmt::format("bar c{}", colour % colours), place(s.points[i].x, s.low[i]),
                   place(s.points[i].x, s.high[i]));
    }
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

  void series(svg_drawing& drawing, const chart_series& s, std::size_t key) const {
    band(drawing, s, key);
    const auto colour = key % colours;
    if (s.mark == chart_mark::outline) {
      drawing.path(fmt::format("shape f{0} c{0}", colour), outline(s) + "z");
    } else if (s.mark != chart_mark::points) {
      drawing.path(line_style(s, key), outline(s));
    }
    for (const auto& p : s.points) {
      if ((s.mark == chart_mark::points || !p.says.empty()) && x_.takes(p.x) && y_.takes(p.y))
        drawing.mark(fmt::format("dot f{}", colour), shapes[key % std::size(shapes)], place(p.x, p.y), 3.8,
                     p.says);
    }
  }

  [[nodiscard]] static std::string line_style(const chart_series& s, std::size_t key) {
    const auto dash = s.mark == chart_mark::dashed ? " dashed" : dashes[key % std::size(dashes)];
    return fmt::format("curve c{}{}", key % colours, dash);
  }

  void limit(svg_drawing& drawing, const chart_limit& l) const {
    const double y = axes_height - y_.at(l.value);
    drawing.line("drop", {0, y}, {axes_width, y});
    drawing.text("small", {axes_width - 4, y - 4}, l.says, "end");
  }

  void key(svg_drawing& drawing) const {
    double y = 10;
    for (std::size_t i = 0; i < chart_.series.size(); ++i) {
      const auto& s = chart_.series[i];
      if (s.name.empty()) continue;
      const auto own = key_of(chart_, i);
      const bool marked = s.mark == chart_mark::points ||
                          std::ranges::any_of(s.points, [](const auto& p) { return !p.says.empty(); });
      if (s.mark != chart_mark::points)
        drawing.line(line_style(s, own), {axes_width + 12, y}, {axes_width + 40, y});
      if (marked)
        drawing.mark(fmt::format("dot f{}", own % colours), shapes[own % std::size(shapes)],
                     {axes_width + 26, y}, 3.8, "");
      drawing.text("label", {axes_width + 46, y + 4}, s.name);
      y += key_row;
    }
  }

  const chart& chart_;
  chart_ruler x_, y_;
  double ticks_width_ = 0;
};

struct page_size {
  double width = 0, height = 0;
};

// Draws the chart below `corner_y`; its size is zero where nothing is left to draw.
page_size drawn(const chart& chart, svg_drawing& drawing, double corner_y) {
  const auto x = x_range(chart), y = y_range(chart);
  if (x.empty() || y.empty()) return {};
  const plot shown(chart, x, y);
  shown.draw(drawing, corner_y);
  const double rows = key_row * static_cast<double>(chart.series.size()) + 20;
  return {shown.margin_left() + axes_width + legend_width(chart),
          margin_top + std::max(axes_height + margin_bottom, rows)};
}

}  // namespace

std::string chart_svg(const chart& chart) {
  svg_drawing drawing;
  const auto size = drawn(chart, drawing, 0);
  return size.width == 0 ? "" : svg_page(chart.title, size.width, size.height, std::move(drawing).take());
}

std::string chart_figure(const chart& chart) {
  svg_drawing drawing;
  const auto size = drawn(chart, drawing, 0);
  return size.width == 0 ? "" : svg_element(chart.title, size.width, size.height, std::move(drawing).take());
}

std::string charts_svg(const std::vector<chart>& charts) {
  svg_drawing drawing;
  page_size whole;
  std::string title;
  for (const auto& each : charts) {
    const auto size = drawn(each, drawing, whole.height);
    whole = {std::max(whole.width, size.width), whole.height + size.height};
    if (title.empty() && size.width > 0) title = each.title;
  }
  return whole.width == 0 ? "" : svg_page(title, whole.width, whole.height, std::move(drawing).take());
}

std::string_view chart_style() { return svg_rules(); }

}  // namespace ridge::report
