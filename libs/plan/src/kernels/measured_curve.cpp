// SPDX-License-Identifier: Apache-2.0
#include "measured_curve.hpp"

#include <algorithm>

namespace ridge::plan::kernels {
namespace {

double beyond(const measured_curve::point& last, double size, const light& ideal) {
  const double there = ideal(last.size);
  return there > 0 ? last.seconds * std::max(ideal(size) / there, 1.0) : last.seconds;
}

double between(const measured_curve::point& a, const measured_curve::point& b, double size) {
  return a.seconds + (b.seconds - a.seconds) * (size - a.size) / (b.size - a.size);
}

}  // namespace

void measured_curve::finish() {
  std::ranges::sort(points_, [](const point& a, const point& b) {
    return a.size < b.size || (a.size == b.size && a.seconds < b.seconds);
  });
  const auto same = std::ranges::unique(points_, {}, &point::size);
  points_.erase(same.begin(), same.end());
}

double measured_curve::at(double size, const light& ideal) const {
  if (size <= points_.front().size) return points_.front().seconds;
  if (size >= points_.back().size) return beyond(points_.back(), size, ideal);
  const auto after = std::ranges::lower_bound(points_, size, {}, &point::size);
  return between(*(after - 1), *after, size);
}

double measured_curve::without(std::size_t place, const light& ideal) const {
  const double size = points_[place].size;
  if (place == 0) return points_[1].seconds;
  if (place + 1 == points_.size()) return beyond(points_[place - 1], size, ideal);
  return between(points_[place - 1], points_[place + 1], size);
}

measured_curve& measured_surface::row(double position) {
  const auto found = std::ranges::find(rows_, position, &line::row);
  if (found != rows_.end()) return found->curve;
  rows_.push_back({position, {}});
  return rows_.back().curve;
}

void measured_surface::finish() {
  std::ranges::sort(rows_, {}, &line::row);
  for (auto& r : rows_) r.curve.finish();
}

double measured_surface::at(double row, double size, const light_of_both& ideal) const {
  const auto on = [&](const line& l) { return l.curve.at(size, [&](double s) { return ideal(l.row, s); }); };
  const auto outside = [&](const line& l) {
    const double there = ideal(l.row, size), here = ideal(row, size);
    return there > 0 ? on(l) * here / there : on(l);
  };
  if (row >= rows_.back().row) return outside(rows_.back());
  if (row <= rows_.front().row) return on(rows_.front());
  const auto after = std::ranges::lower_bound(rows_, row, {}, &line::row);
  const auto& low = *(after - 1);
  return on(low) + (on(*after) - on(low)) * (row - low.row) / (after->row - low.row);
}

}  // namespace ridge::plan::kernels
