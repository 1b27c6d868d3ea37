// SPDX-License-Identifier: Apache-2.0
#include "chart_ranges.hpp"

namespace ridge::report {

chart_range x_range(const chart& chart) {
  chart_range all;
  for (const auto& s : chart.series) {
    for (const auto& p : s.points) all.take(p.x, chart.x);
  }
  return all;
}

chart_range y_range(const chart& chart) {
  chart_range all;
  for (const auto& s : chart.series) {
    for (const auto& p : s.points) all.take(p.y, chart.y);
    for (const double v : s.low) all.take(v, chart.y);
    for (const double v : s.high) all.take(v, chart.y);
  }
  for (const auto& l : chart.limits) all.take(l.value, chart.y);
  return all;
}

std::size_t key_of(const chart& chart, std::size_t place) {
  const auto own = chart.series[place].key;
  return own == chart_series::own_key ? place : own;
}

}  // namespace ridge::report
