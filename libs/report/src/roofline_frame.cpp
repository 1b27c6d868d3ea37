// SPDX-License-Identifier: Apache-2.0
#include "roofline_frame.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <ridge/base/units.hpp>

namespace ridge::report {
namespace {

struct positive_range {
  double lo = 1e300, hi = 0;
  void take(double x) {
    if (x <= 0 || !std::isfinite(x)) return;
    lo = std::min(lo, x);
    hi = std::max(hi, x);
  }
  [[nodiscard]] bool empty() const { return hi <= 0; }
};

positive_range intensities(const model::roofline_chart& c) {
  positive_range r;
  for (const auto& p : c.points) r.take(p.intensity), r.take(p.measured_intensity.value_or(0));
  for (const auto& p : c.ridges) r.take(p.intensity / 3), r.take(p.intensity * 3);
  for (const auto& s : c.sweeps) {
    for (const auto& step : s.steps) r.take(step.intensity);
  }
  return r;
}

positive_range rates(const model::roofline_chart& c) {
  positive_range r;
  for (const auto& p : c.points) r.take(p.flop_per_s);
  for (const auto* one : shown_roofs(c)) {
    if (one->kind == model::roof_kind::compute) r.take(one->value), r.take(one->specified);
  }
  for (const auto& s : c.sweeps) {
    for (const auto& step : s.steps) r.take(step.intensity > 0 ? step.flop_per_s : 0);
  }
  return r;
}

std::vector<int> decades(double least, double greatest) {
  std::vector<int> all;
  for (int e = static_cast<int>(std::ceil(least - 1e-9)); e <= greatest + 1e-9; ++e) all.push_back(e);
  return all;
}

double half_below(double x) { return std::floor(2 * x) / 2; }

}  // namespace

std::string decade_text(int exponent, std::string_view unit) {
  const double value = std::pow(10, exponent);
  if (unit.empty())
    return exponent < 0 ? fmt::format("{:.{}f}", value, -exponent) : fmt::format("{:.0f}", value);
  auto words = format_quantity(value, unit);
  const auto space = words.find(' '), point = words.find('.');
  if (point < space) words.erase(point, space - point);
  return words;
}

double highest_peak(const model::roofline_chart& chart) {
  double most = 0;
  for (const auto* r : shown_roofs(chart)) {
    if (r->kind == model::roof_kind::compute) most = std::max(most, r->value);
  }
  return most;
}

double steepest_bandwidth(const model::roofline_chart& chart) {
  double most = 0;
  for (const auto* r : shown_roofs(chart)) {
    if (r->kind == model::roof_kind::bandwidth) most = std::max(most, r->value);
  }
  return most;
}

std::vector<const model::roof*> shown_roofs(const model::roofline_chart& chart) {
  std::vector<const model::roof*> shown;
  for (const auto& r : chart.roofs) {
    if (r.shown && r.value > 0) shown.push_back(&r);
  }
  return shown;
}

std::vector<std::size_t> placed_points(const model::roofline_chart& chart, std::size_t most) {
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < chart.points.size(); ++i) {
    if (chart.points[i].intensity > 0 && chart.points[i].flop_per_s > 0) kept.push_back(i);
  }
  std::ranges::stable_sort(kept, std::greater{}, [&](std::size_t i) { return chart.points[i].time_share; });
  if (kept.size() > most) kept.resize(most);
  std::ranges::sort(kept);
  return kept;
}

roofline_frame::roofline_frame(const model::roofline_chart& chart, double width, double tallest,
                               spare_room room)
    : width_(width) {
  constexpr double head = 0.3, foot = 0.25, side = 0.3, least_wide = 3, least_high = 2.5;
  const auto i = intensities(chart), p = rates(chart);
  if (!i.empty()) x_min_ = half_below(std::log10(i.lo) - side), x_max_ = std::log10(i.hi) + side;
  if (!p.empty()) y_max_ = std::log10(p.hi) + head, y_min_ = std::log10(p.lo) - foot;
  x_max_ = std::max(x_max_, x_min_ + least_wide);
  const double left_foot = std::log10(std::max(steepest_bandwidth(chart), 1.0)) + x_min_;
  if (!p.empty()) y_min_ = std::min(y_min_, std::min(left_foot + 0.2, y_max_ - least_high));
  y_min_ = half_below(std::max(y_min_, y_max_ - 6));
  decade_ = std::min(width_ / (x_max_ - x_min_), tallest / (y_max_ - y_min_));
  if (room == spare_room::shown) {
    x_max_ = x_min_ + width_ / decade_;
  } else {
    width_ = (x_max_ - x_min_) * decade_;
  }
}

double roofline_frame::x(double intensity) const { return (std::log10(intensity) - x_min_) * decade_; }
double roofline_frame::y(double rate) const { return (y_max_ - std::log10(rate)) * decade_; }

bool roofline_frame::holds(svg_point p) const {
  return p.x >= 0 && p.x <= width() && p.y >= 0 && p.y <= height();
}

double roofline_frame::least_intensity() const { return std::pow(10, x_min_); }
double roofline_frame::greatest_intensity() const { return std::pow(10, x_max_); }
double roofline_frame::least_rate() const { return std::pow(10, y_min_); }
double roofline_frame::greatest_rate() const { return std::pow(10, y_max_); }
std::vector<int> roofline_frame::x_decades() const { return decades(x_min_, x_max_); }
std::vector<int> roofline_frame::y_decades() const { return decades(y_min_, y_max_); }

std::pair<svg_point, svg_point> roofline_frame::diagonal(double bandwidth, double top) const {
  const double highest = std::min(top > 0 ? top : greatest_rate(), greatest_rate());
  const double from = std::max(least_intensity(), least_rate() / bandwidth);
  const double to = std::min(greatest_intensity(), highest / bandwidth);
  if (to <= from) return {};
  return {at(from, from * bandwidth), at(to, to * bandwidth)};
}

std::pair<svg_point, svg_point> roofline_frame::horizontal(double peak, double steepest) const {
  const double from = std::max(least_intensity(), steepest > 0 ? peak / steepest : 0);
  if (from >= greatest_intensity() || peak < least_rate() || peak > greatest_rate()) return {};
  return {at(from, peak), at(greatest_intensity(), peak)};
}

}  // namespace ridge::report
