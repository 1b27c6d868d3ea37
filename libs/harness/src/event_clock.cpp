// SPDX-License-Identifier: Apache-2.0
#include "event_clock.hpp"

#include <algorithm>
#include <vector>

#include <ridge/stats/quantile.hpp>

namespace ridge::harness {
namespace {

constexpr int pairs = 101;
constexpr double equal_within_s = 1e-9;  // events are read as float milliseconds

double smallest_step(const std::vector<double>& sorted) {
  double least = 0;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    const double step = sorted[i] - sorted[i - 1];
    if (step > equal_within_s && (least == 0 || step < least)) least = step;
  }
  return least;
}

}  // namespace

event_clock read_event_clock(device::device& where) {
  if (where.on_host()) return {};
  std::vector<std::pair<device::timestamp, device::timestamp>> marks;
  where.hold();
  for (int i = 0; i < pairs; ++i) {
    const auto first = where.mark();
    marks.emplace_back(first, where.mark());
  }
  (void)where.release();
  where.synchronize();
  std::vector<double> seconds;
  for (const auto& [first, second] : marks) seconds.push_back(where.seconds_between(first, second));
  std::ranges::sort(seconds);
  return {.empty_pair_s = stats::median(seconds), .tick_s = smallest_step(seconds)};
}

}  // namespace ridge::harness
