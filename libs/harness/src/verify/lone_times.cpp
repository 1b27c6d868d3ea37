// SPDX-License-Identifier: Apache-2.0
#include "verify/lone_times.hpp"

#include <algorithm>
#include <cmath>

#include <ridge/stats/median.hpp>
#include <ridge/stats/quantile.hpp>

namespace ridge::harness {
namespace {

constexpr double switches_within = 1.5, least_switch_s = 5e-6;

bool is_possible(double seconds) { return std::isfinite(seconds) && seconds > 0; }

// Stated seconds that were not waited for are taken away.
lone_times as_waited_for(lone_times times) {
  const double stated_s = times.first_s + times.last_s;
  if (stated_s <= times.outside_s) return times;
  const double share = times.outside_s / stated_s;
  return {times.first_s * share, times.last_s * share, times.outside_s};
}

template <class F>
std::vector<double> by_round(std::span<const lone_times> all, F seconds) {
  std::vector<double> values;
  for (const auto& one : all) values.push_back(seconds(as_waited_for(one)));
  return values;
}

double more_when_cold_s(const lone_times& one) {
  return one.last_s > 0 ? std::max(0.0, one.first_s - one.last_s) : 0;
}
double stated_s(const lone_times& one) { return one.first_s + one.last_s; }
double beside_s(const lone_times& one) { return one.outside_s - stated_s(one); }

// On a busy machine the processes wait for each other now and then, in less than three rounds of four.
double lower_quartile(std::vector<double> values) {
  std::ranges::sort(values);
  return stats::sorted_quantile(values, 0.25);
}

// What was waited for beside the samples that are stated. A process that states less than it took in most
// rounds and is honest in the others is seen by the quartiles of what it states and of what was waited for.
double waited_beside_s(std::span<const lone_times> times) {
  const double in_rounds = lower_quartile(by_round(times, beside_s));
  const double over_rounds =
      lower_quartile(by_round(times, [](const lone_times& one) { return one.outside_s; })) -
      lower_quartile(by_round(times, stated_s));
  return std::max(in_rounds, over_rounds);
}

}  // namespace

bool are_possible(const lone_times& stated, bool two_samples) {
  return is_possible(stated.first_s) && (!two_samples || is_possible(stated.last_s));
}

std::vector<double> sample_seconds(std::span<const lone_times> times, std::span<const lone_times> of_first) {
  if (times.empty() || of_first.empty()) return {};
  const double more_s = stats::median(by_round(of_first, more_when_cold_s));
  const double switches_s = lower_quartile(by_round(of_first, beside_s));
  const double hidden_s =
      std::max(0.0, waited_beside_s(times) - switches_within * switches_s - least_switch_s);
  return by_round(times, [&](const lone_times& one) {
    if (one.last_s == 0) return one.first_s + hidden_s;
    const double first_s = one.first_s - more_s;
    return std::max({first_s, one.last_s, (first_s + one.last_s + hidden_s) / 2});
  });
}

}  // namespace ridge::harness
