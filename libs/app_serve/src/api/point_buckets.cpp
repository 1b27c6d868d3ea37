// SPDX-License-Identifier: Apache-2.0
#include "api/point_buckets.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ridge::app_serve {

std::vector<model::measured_point> thinned(std::vector<model::measured_point> points, std::size_t buckets) {
  if (points.size() <= 2 * buckets) return points;
  std::vector<std::size_t> kept{0, points.size() - 1};
  for (std::size_t i = 0; i < buckets; ++i) {
    const auto begin = points.size() * i / buckets, end = points.size() * (i + 1) / buckets;
    auto least = end, greatest = end;
    for (auto k = begin; k < end; ++k) {
      if (std::isnan(points[k].median)) continue;
      if (least == end || points[k].median < points[least].median) least = k;
      if (greatest == end || points[k].median > points[greatest].median) greatest = k;
    }
    if (least != end) kept.insert(kept.end(), {least, greatest});
  }
  std::ranges::sort(kept);
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  std::vector<model::measured_point> made;
  made.reserve(kept.size());
  for (const auto k : kept) made.push_back(std::move(points[k]));
  return made;
}

}  // namespace ridge::app_serve
