// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/warm_up.hpp>

#include <algorithm>
#include <cmath>
#include <span>

#include <ridge/stats/quantile.hpp>

namespace ridge::harness {
namespace {

bool is_steady(const std::vector<double>& times) {
  if (times.size() < 6) return false;
  const auto last = std::span(times).last(6);
  const double before = stats::median(last.first(3)), after = stats::median(last.last(3));
  return std::fabs(after - before) <= 0.01 * before;
}

}  // namespace

warmth warm_up(contestants& contest, const std::vector<std::uint64_t>& iterations, const protocol& p,
               double (*now_s)()) {
  warmth w;
  std::vector<std::vector<double>> times(contest.arms());
  const double start = now_s();
  while (true) {
    contest.begin_round(w.rounds);
    for (std::size_t arm = 0; arm < contest.arms(); ++arm)
      times[arm].push_back(contest.run(arm, iterations[arm]).seconds);
    (void)contest.end_round(w.rounds);
    ++w.rounds;
    w.seconds = now_s() - start;
    w.steady = std::ranges::all_of(times, is_steady);
    const bool done = w.steady && w.seconds >= p.warm_up_min_s;
    if (done || w.seconds >= p.warm_up_max_s) return w;
  }
}

}  // namespace ridge::harness
