// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/report/roofline.hpp>

#include "braille_grid.hpp"
#include "roofline_frame.hpp"

namespace ridge::report {
namespace {

constexpr std::size_t axis_columns = 13, most_columns = 100, least_columns = 30;
constexpr double tallest_dots = 96;

// One chart while it is drawn.
class drawing {
 public:
  drawing(const model::roofline_chart& chart, std::size_t columns, std::size_t labels)
      : chart_(chart),
        frame_(chart, static_cast<double>(2 * (columns - labels)), tallest_dots, spare_room::left_out),
        grid_(static_cast<std::size_t>(std::ceil(frame_.width() / 2)) + labels,
              static_cast<std::size_t>(std::ceil(frame_.height() / 4))) {}

  void draw() {
    for (const auto* r : shown_roofs(chart_)) roof(*r);
    for (std::size_t i = 0; i < chart_.points.size(); ++i) point(chart_.points[i], i);
    for (const auto& s : chart_.sweeps) sweep(s);
    for (const auto* r : shown_roofs(chart_)) label(*r);
  }

  [[nodiscard]] std::string text(bool color) const {
    std::string out;
    for (std::size_t i = 0; i < grid_.rows(); ++i)
      out += pad_left(rate_at(i), axis_columns - 2) + (rate_at(i).empty() ? " │" : " ┤") +
             grid_.row(i, color) + '\n';
    return out + x_axis();
  }

 private:
  void roof(const model::roof& r) {
    const bool diagonal = r.kind == model::roof_kind::bandwidth;
    const auto [a, b] = diagonal ? frame_.diagonal(r.value, highest_peak(chart_))
                                 : frame_.horizontal(r.value, steepest_bandwidth(chart_));
    const int every = r.origin == model::roof_origin::specified ? 4 : 1;
    if (a.x != b.x) grid_.line(a.x, a.y, b.x, b.y, every);
  }

  void point(const model::roofline_point& p, std::size_t index) {
    if (p.intensity <= 0 || p.flop_per_s <= 0) return;
    const auto at = frame_.at(p.intensity, p.flop_per_s);
    if (!frame_.holds(at)) return;
    // The mark stands beside its place when another kernel stands there already.
    for (const int aside : {0, 1, -1, 2, -2}) {
      const int column = static_cast<int>(at.x / 2) + aside;
      if (grid_.text(column, static_cast<int>(at.y / 4), mark_of(index), tone::strong)) return;
    }
  }

  void sweep(const model::intensity_sweep& s) {
    for (const auto& step : s.steps) {
      if (step.intensity <= 0) continue;
      const auto at = frame_.at(step.intensity, step.flop_per_s);
      if (frame_.holds(at))
        grid_.text(static_cast<int>(at.x / 2), static_cast<int>(at.y / 4), "o", tone::good);
    }
  }

  // Writes the label below the middle of a diagonal, or beside the end of a horizontal line.
  void label(const model::roof& r) {
    if (r.kind == model::roof_kind::compute) {
      const int row = static_cast<int>(frame_.y(r.value) / 4);
      for (const int up : {0, -1, 1, -2, 2, -3}) {
        if (grid_.text(static_cast<int>(frame_.width() / 2) + 3, row + up, r.label, tone::dim)) return;
      }
      return;
    }
    const auto [a, b] = frame_.diagonal(r.value, highest_peak(chart_));
    if (a.x == b.x) return;
    for (const double t : {0.35, 0.25, 0.45, 0.15, 0.55, 0.65}) {
      const double x = a.x + t * (b.x - a.x), y = a.y + t * (b.y - a.y);
      if (grid_.text(static_cast<int>(x / 2) + 2, static_cast<int>(y / 4) + 1, r.label, tone::dim)) return;
    }
  }

  // Returns the text at the axis beside a row of cells.
  [[nodiscard]] std::string rate_at(std::size_t row) const {
    for (const int e : frame_.y_decades()) {
      const double rate = std::pow(10, e);
      if (static_cast<std::size_t>(frame_.y(rate) / 4) == row) return decade_text(e, "FLOP/s");
    }
    return "";
  }

  [[nodiscard]] std::string x_axis() const {
    std::string line, numbers(axis_columns, ' ');
    for (double x = 0; x < frame_.width(); x += 2) line += "─";
    for (const int e : frame_.x_decades()) {
      const auto at = axis_columns + static_cast<std::size_t>(frame_.x(std::pow(10, e)) / 2);
      const auto words = decade_text(e, "");
      if (at < numbers.size() || at + words.size() > axis_columns + grid_.columns()) continue;
      numbers = pad_right(numbers, at) + words;
    }
    return std::string(axis_columns - 1, ' ') + "└" + line + '\n' + numbers + "  FLOP/byte\n";
  }

  const model::roofline_chart& chart_;
  roofline_frame frame_;
  braille_grid grid_;
};

}  // namespace

std::string mark_of(std::size_t index) {
  constexpr std::string_view marks = "123456789abcdefghijklmnopqrstuvwxyz";
  return std::string(1, index < marks.size() ? marks[index] : '*');
}

std::string roofline_braille(const model::roofline_chart& chart, const options& options) {
  std::size_t labels = 2;
  for (const auto* r : shown_roofs(chart)) {
    if (r->kind == model::roof_kind::compute) labels = std::max(labels, display_width(r->label) + 4);
  }
  const auto columns =
      std::clamp(options.columns, least_columns + axis_columns + labels, most_columns + labels);
  drawing one(chart, columns - axis_columns, labels);
  one.draw();
  return one.text(options.color);
}

}  // namespace ridge::report
