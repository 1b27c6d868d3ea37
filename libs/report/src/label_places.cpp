// SPDX-License-Identifier: Apache-2.0
#include "label_places.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ridge::report {
namespace {

constexpr double half_height = 7;

std::vector<label_places::disc> chain(svg_point middle, double dx, double dy, double length) {
  std::vector<label_places::disc> discs;
  const int count = std::max(1, static_cast<int>(std::ceil(length / half_height)));
  for (int i = 0; i < count; ++i) {
    const double at = ((i + 0.5) / count - 0.5) * length;
    discs.push_back({{middle.x + at * dx, middle.y + at * dy}, half_height});
  }
  return discs;
}

}  // namespace

double label_places::covered(std::span<const disc> discs) const {
  double sum = 0;
  for (const auto& mine : discs) {
    for (const auto& other : discs_) {
      const double apart = std::hypot(mine.center.x - other.center.x, mine.center.y - other.center.y);
      sum += std::max(0.0, mine.radius + other.radius - apart);
    }
  }
  return sum;
}

void label_places::block_line(svg_point a, svg_point b) {
  constexpr double step = 8, half_width = 2.5;
  const int count = static_cast<int>(std::hypot(b.x - a.x, b.y - a.y) / step);
  for (int i = 0; i <= count; ++i) {
    const double t = count == 0 ? 0 : static_cast<double>(i) / count;
    block({a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)}, half_width);
  }
}

svg_point label_places::along(svg_point a, svg_point b, double length, double wanted) {
  constexpr int tries = 80;
  const double far = std::hypot(b.x - a.x, b.y - a.y);
  if (far <= 0) return a;
  const double dx = (b.x - a.x) / far, dy = (b.y - a.y) / far, margin = std::min(0.5, length / 2 / far);
  // The label stands below the line, away from the value of the vendor, which is drawn above it.
  const double off_x = -dy * 11, off_y = dx * 11;
  double least = 1e300;
  svg_point best = a;
  for (int i = 0; i <= tries; ++i) {
    const double t = margin + (1 - 2 * margin) * i / tries;
    const svg_point middle{a.x + t * far * dx + off_x, a.y + t * far * dy + off_y};
    const double cost = covered(chain(middle, dx, dy, length)) + 12 * std::abs(t - wanted);
    if (cost < least) least = cost, best = middle;
  }
  for (const auto& d : chain(best, dx, dy, length)) discs_.push_back(d);
  return best;
}

svg_point label_places::beside(svg_point mark, double radius, double length, double width, double height) {
  constexpr int directions = 16;
  double least = 1e300;
  svg_point best = mark;
  for (const double away : {7.0, 13.0, 20.0, 28.0, 38.0, 50.0}) {
    for (int i = 0; i < directions; ++i) {
      const double angle = 2 * std::numbers::pi * i / directions - std::numbers::pi / 4;
      const double reach = radius + away;
      const svg_point middle{mark.x + (reach + length / 4) * std::cos(angle),
                             mark.y + reach * std::sin(angle)};
      const bool inside = middle.x > length && middle.x < width - length && middle.y > half_height &&
                          middle.y < height - half_height;
      const double cost = 3 * covered(chain(middle, 1, 0, length)) + away + (inside ? 0 : 1e6);
      if (cost < least) least = cost, best = middle;
    }
  }
  for (const auto& d : chain(best, 1, 0, length)) discs_.push_back(d);
  return best;
}

}  // namespace ridge::report
