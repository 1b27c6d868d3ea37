// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/report/chart.hpp>
#include <ridge/report/roofline.hpp>

#include "braille_grid.hpp"
#include "chart_ranges.hpp"
#include "chart_scale.hpp"
#include "cut_text.hpp"
#include "harmless.hpp"

namespace ridge::report {
namespace {

constexpr std::size_t most_label = 12, usual_rows = 16, most_usual_columns = 100;

std::string harmless_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return harmless(std::move(text));
}

// One chart while it is drawn in cells.
class cell_chart {
 public:
  cell_chart(const chart& chart, const chart_range& x, const chart_range& y, const cell_room& room)
      : chart_(chart),
        options_{.columns = room.columns, .color = room.color},
        columns_(std::clamp<std::size_t>(room.columns, 40, 300) - most_label - 2),
        rows_(std::clamp<std::size_t>(room.rows, 4, 100)),
        x_(chart.x, x.least, x.greatest, static_cast<double>(2 * columns_ - 1)),
        y_(chart.y, y.least, y.greatest, static_cast<double>(4 * rows_ - 1)),
        grid_(columns_, rows_) {}

  void draw() {
    for (const auto& s : chart_.series) curve(s);
    for (std::size_t i = 0; i < chart_.series.size(); ++i) marks(chart_.series[i], key_of(chart_, i));
    for (const auto& l : chart_.limits) limit(l);
  }

  [[nodiscard]] std::string text() const {
    auto out = paint(cut_text(harmless_line(chart_.title), options_.columns), tone::strong, options_.color);
    out += '\n';
    if (!chart_.subtitle.empty())
      out += paint(wrap(harmless_line(chart_.subtitle), options_.columns), tone::dim, options_.color) + '\n';
    out += chart_.y.label + '\n';
    for (std::size_t i = 0; i < grid_.rows(); ++i) {
      const auto tick = tick_at(i);
      out += pad_left(tick, most_label) + (tick.empty() ? " │" : " ┤") + grid_.row(i, options_.color) + '\n';
    }
    return out + x_axis() + key();
  }

 private:
  [[nodiscard]] bool shows(double x, double y) const { return x_.takes(x) && y_.takes(y); }
  [[nodiscard]] double dot_x(double x) const { return x_.at(x); }
  [[nodiscard]] double dot_y(double y) const { return static_cast<double>(4 * rows_ - 1) - y_.at(y); }

  void curve(const chart_series& s) {
    const chart_point* last = nullptr;
    for (std::size_t i = 0; i < s.points.size(); ++i) {
      const auto& p = s.points[i];
      if (!shows(p.x, p.y)) continue;
      bar(s, i);
      if (last != nullptr && s.mark != chart_mark::points) segment(s, *last, p);
      last = &p;
    }
    if (s.mark == chart_mark::outline && last != nullptr) segment(s, *last, s.points.front());
  }

  void bar(const chart_series& s, std::size_t i) {
    if (s.mark != chart_mark::points || s.low.size() != s.points.size()) return;
    if (y_.takes(s.low[i]) && y_.takes(s.high[i]))
      grid_.line(dot_x(s.points[i].x), dot_y(s.low[i]), dot_x(s.points[i].x), dot_y(s.high[i]));
  }

  void segment(const chart_series& s, const chart_point& a, const chart_point& b) {
    if (!shows(a.x, a.y) || !shows(b.x, b.y)) return;
    if (s.mark == chart_mark::steps) {
      grid_.line(dot_x(a.x), dot_y(a.y), dot_x(b.x), dot_y(a.y));
      grid_.line(dot_x(b.x), dot_y(a.y), dot_x(b.x), dot_y(b.y));
    } else {
      grid_.line(dot_x(a.x), dot_y(a.y), dot_x(b.x), dot_y(b.y), s.mark == chart_mark::dashed ? 3 : 1);
    }
  }

  // Writes the mark of a series at its points; along a line of many points at a few of them.
  void marks(const chart_series& s, std::size_t key) {
    if (s.name.empty() || s.points.empty() || s.mark == chart_mark::outline) return;
    constexpr std::size_t most_marks = 6;
    const auto every = std::max<std::size_t>(1, s.points.size() / most_marks);
    for (std::size_t i = every / 2; i < s.points.size(); i += every) {
      const auto& p = s.points[i];
      if (!shows(p.x, p.y)) continue;
      const int column = static_cast<int>(dot_x(p.x) / 2), row = static_cast<int>(dot_y(p.y) / 4);
      for (const int aside : {0, 1, -1, 2, -2}) {
        if (grid_.text(column + aside, row, mark_of(key), tone::strong)) break;
      }
    }
  }

  void limit(const chart_limit& l) {
    if (!y_.takes(l.value)) return;
    grid_.line(0, dot_y(l.value), static_cast<double>(2 * columns_), dot_y(l.value), 3);
    const int row = static_cast<int>(dot_y(l.value) / 4);
    const int column = static_cast<int>(columns_) - static_cast<int>(display_width(l.says));
    for (const int up : {-1, 1, -2, 2}) {
      if (grid_.text(column, row + up, l.says, tone::dim)) return;
    }
  }

  [[nodiscard]] std::string tick_at(std::size_t row) const {
    for (const double t : y_.ticks()) {
      if (static_cast<std::size_t>(std::max(0.0, dot_y(t)) / 4) == row)
        return cut_text(y_.text(t), most_label);
    }
    return "";
  }

  [[nodiscard]] std::string x_axis() const {
    std::string line, numbers(most_label + 2, ' ');
    for (std::size_t i = 0; i < columns_; ++i) line += "─";
    const auto ticks = x_.ticks();
    const auto room = ticks.size() < 2 ? columns_ : columns_ / ticks.size();
    for (const double t : ticks) {
      const auto words = cut_text(harmless_line(x_.text(t)), std::max<std::size_t>(room, 8) - 1);
      const auto width = display_width(words);
      const auto middle = static_cast<std::size_t>(std::max(0.0, dot_x(t)) / 2);
      auto start = most_label + 2 + middle - std::min(middle, width / 2);
      start = std::min(start, most_label + 2 + columns_ - std::min(columns_, width));
      const auto written = display_width(numbers);
      if (written > most_label + 2 && start <= written) continue;
      numbers = pad_right(numbers, start) + words;
    }
    return std::string(most_label + 1, ' ') + "└" + line + '\n' + numbers + '\n' +
           pad_left(chart_.x.label, most_label + 2 + columns_) + '\n';
  }

  [[nodiscard]] std::string key() const {
    std::string all;
    for (std::size_t i = 0; i < chart_.series.size(); ++i) {
      const auto& s = chart_.series[i];
      if (s.name.empty() || s.mark == chart_mark::outline) continue;
      all +=
          fmt::format("{}{} {}", all.empty() ? "" : "   ", mark_of(key_of(chart_, i)), harmless_line(s.name));
    }
    return all.empty() ? "" : wrap(all, options_.columns) + '\n';
  }

  const chart& chart_;
  options options_;
  std::size_t columns_, rows_;
  chart_ruler x_, y_;
  braille_grid grid_;
};

}  // namespace

std::string chart_braille(const chart& chart, const options& options) {
  return chart_braille_within(chart, cell_room{.columns = std::min(options.columns, most_usual_columns),
                                               .rows = usual_rows,
                                               .color = options.color});
}

std::string chart_braille_within(const chart& chart, const cell_room& room) {
  const auto x = x_range(chart), y = y_range(chart);
  if (x.empty() || y.empty()) return {};
  cell_chart one(chart, x, y, room);
  one.draw();
  return one.text();
}

}  // namespace ridge::report
