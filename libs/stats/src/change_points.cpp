// SPDX-License-Identifier: Apache-2.0
#include <ridge/stats/change_points.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <ridge/base/expects.hpp>
#include <ridge/stats/median.hpp>
#include <ridge/stats/quantile.hpp>

#include "block_resampling.hpp"
#include "rough_noise.hpp"
#include "step_statistic.hpp"

namespace ridge::stats {
namespace {

// A test that has seen so many resamples as clear as the observations is over: h of l resamples give the
// p-value h / l (Besag & Clifford, Biometrika 78, 1991).
constexpr std::size_t enough_exceeding = 10;

// Resamples that are looked at to see whether the others matter.
constexpr std::size_t glimpse = 200;

// Returns whether a step is out of reach of resamples like these. The greatest of many has an exponential
// tail at most (Gumbel): thrice as far above the median as the highest of 200 leaves less than one in a
// million.
bool far_above(double bar, std::vector<double>& heights) {
  const double highest = std::ranges::max(heights), middle = median_in_place(heights);
  return bar > middle + 3 * (highest - middle);
}

// One search: the series as it is, for medians, and clipped, for means.
class search {
 public:
  search(std::span<const double> x, const change_rules& rules)
      : x_(x),
        clipped_(clipped_to_neighbours(x)),
        rules_(rules),
        noise_(rough_noise_of(clipped_, rules.fewest)) {}

  change_scan run() {
    split(0, x_.size());
    refine();
    while (drop_the_smallest()) {
    }
    return std::move(found_);
  }

 private:
  [[nodiscard]] double p_of(std::span<const double> x, const step& seen, std::uint64_t seed) const;
  [[nodiscard]] std::pair<std::size_t, std::size_t> without_short_ends(std::size_t begin, std::size_t end,
                                                                       const step& seen) const;
  void split(std::size_t begin, std::size_t end);
  void refine();
  bool drop_the_smallest();
  void set_levels();
  double level(std::size_t begin, std::size_t end) const { return median(x_.subspan(begin, end - begin)); }
  std::size_t start_of(std::size_t i) const { return i == 0 ? 0 : found_.changes[i - 1].index; }
  std::size_t end_of(std::size_t i) const {
    return i + 1 < found_.changes.size() ? found_.changes[i + 1].index : x_.size();
  }

  std::span<const double> x_;
  std::vector<double> clipped_;
  change_rules rules_;
  rough_noise noise_;
  change_scan found_{};
};

// Returns the share of resamples of the noise, as wide as that of this part, whose greatest step is as high.
double search::p_of(std::span<const double> x, const step& seen, std::uint64_t seed) const {
  const std::size_t ends[] = {seen.begin, seen.split, seen.end, x.size()};
  const double spread = deviation(without_levels(x, ends));
  if (!(seen.height > 0)) return 1;
  const double bar = spread > 0 ? seen.height * noise_.deviation / spread : seen.height;
  step_statistic statistic(x.size(), rules_.fewest, noise_.block == 1);
  std::vector<double> drawn(x.size());
  splitmix_generator random(seed);
  std::vector<double> first;
  std::size_t exceeding = 0;
  for (std::size_t made = 1; made <= rules_.resamples; ++made) {
    draw_blocks(noise_.residuals, noise_.block, random, drawn);
    const double height = statistic.greatest_height(drawn);
    if (height >= bar && ++exceeding == enough_exceeding)
      return static_cast<double>(exceeding) / static_cast<double>(made);
    if (made < glimpse) first.push_back(height);
    if (made == glimpse && far_above(bar, first)) break;
  }
  return static_cast<double>(exceeding + 1) / static_cast<double>(rules_.resamples + 1);
}

// Returns the part of [begin, end) without the observations at its ends that are a level of their own but too
// few for one.
std::pair<std::size_t, std::size_t> search::without_short_ends(std::size_t begin, std::size_t end,
                                                               const step& seen) const {
  const bool first = seen.begin == 0, last = seen.end == end - begin;
  if (!first && !last) return {begin, end};
  const auto x = std::span<const double>(clipped_).subspan(begin + seen.begin, seen.end - seen.begin);
  const auto at = step_statistic(x.size(), 1, false).greatest(x).split;
  if (last && x.size() - at < rules_.fewest) return {begin, begin + seen.begin + at};
  if (first && at < rules_.fewest) return {begin + at, end};
  return {begin, end};
}

void search::split(std::size_t begin, std::size_t end) {
  const auto n = end - begin;
  if (n < 2 * rules_.fewest + 2) return;
  const auto x = std::span<const double>(clipped_).subspan(begin, n);
  // Dependent noise wanders, so that some short piece of it always looks like a step: there only the whole
  // part is searched.
  const auto seen = step_statistic(n, rules_.fewest, noise_.block == 1).greatest(x);
  const double p = p_of(x, seen, splitmix64(splitmix64(rules_.seed ^ begin) ^ end));
  found_.tested.push_back(p);
  if (p > rules_.alpha) return;
  if (const auto kept = without_short_ends(begin, end, seen); kept != std::pair(begin, end))
    return split(kept.first, kept.second);
  const auto at = begin + seen.split;
  if (relative_step(level(begin + seen.begin, at), level(at, begin + seen.end)) < rules_.min_effect) return;
  split(begin, at);
  found_.changes.push_back({.index = at, .p = p});
  split(at, end);
}

// Places each change anew between its neighbours: when it was found, others that were not known yet blurred
// it.
void search::refine() {
  for (std::size_t i = 0; i < found_.changes.size(); ++i) {
    const auto begin = start_of(i), end = end_of(i);
    if (end - begin < 2 * rules_.fewest) continue;
    step_statistic statistic(end - begin, rules_.fewest, false);
    const auto x = std::span<const double>(clipped_).subspan(begin, end - begin);
    found_.changes[i].index = begin + statistic.greatest(x).split;
  }
  set_levels();
}

void search::set_levels() {
  for (std::size_t i = 0; i < found_.changes.size(); ++i) {
    auto& change = found_.changes[i];
    change.before = level(start_of(i), change.index);
    change.after = level(change.index, end_of(i));
  }
}

// A change that was clear in a wider part may be too small between its neighbours.
bool search::drop_the_smallest() {
  const auto effect = [](const change_point& c) { return relative_step(c.before, c.after); };
  const auto smallest = std::ranges::min_element(found_.changes, {}, effect);
  if (smallest == found_.changes.end() || effect(*smallest) >= rules_.min_effect) return false;
  found_.changes.erase(smallest);
  set_levels();
  return true;
}

// Returns medians of resampled observations.
std::vector<double> drawn_medians(std::span<const double> x, std::size_t draws, std::uint64_t seed) {
  const auto block = x.size() < 8 ? 1 : resampling_block(x);
  splitmix_generator random(seed);
  std::vector<double> drawn(x.size()), medians(draws);
  for (double& one : medians) {
    draw_blocks(x, block, random, drawn);
    one = median_in_place(drawn);
  }
  return medians;
}

}  // namespace

change_scan find_changes(std::span<const double> x, const change_rules& rules) {
  expects(rules.fewest >= 2 && rules.min_effect > 0, "find_changes: fewest >= 2 and min_effect > 0");
  expects(std::ranges::all_of(x, [](double v) { return std::isfinite(v); }), "find_changes: finite values");
  if (x.empty()) return {};
  return search(x, rules).run();
}

std::size_t resamples_for(std::size_t tests, double false_share) {
  const double needed = 10 * static_cast<double>(tests) / false_share;
  return static_cast<std::size_t>(std::clamp(needed, 1999.0, 99'999.0));
}

interval level_ratio_interval(std::span<const double> before, std::span<const double> after, double level,
                              std::uint64_t seed) {
  expects(!before.empty() && !after.empty(), "level_ratio_interval: an observation on each side");
  constexpr std::size_t draws = 1999;
  const auto low = drawn_medians(before, draws, splitmix64(seed));
  auto ratios = drawn_medians(after, draws, splitmix64(seed + 1));
  for (std::size_t i = 0; i < draws; ++i) ratios[i] /= low[i];
  std::ranges::sort(ratios);
  return {sorted_quantile(ratios, (1 - level) / 2), sorted_quantile(ratios, (1 + level) / 2)};
}

double relative_step(double before, double after) {
  if (before == after) return 0;
  return before == 0 ? std::numeric_limits<double>::infinity() : std::abs(after / before - 1);
}

std::vector<double> clipped_to_neighbours(std::span<const double> x) {
  constexpr std::size_t reach = 2;
  constexpr double bound = 2.5;
  // The median of |a - b| for independent normal a and b with deviation 1.
  constexpr double unit_difference = 0.9539;
  std::vector<double> clipped(x.begin(), x.end());
  if (x.size() < 2) return clipped;
  std::vector<double> differences(x.size() - 1);
  for (std::size_t i = 0; i + 1 < x.size(); ++i) differences[i] = std::abs(x[i + 1] - x[i]);
  const double allowed = bound * median_in_place(differences) / unit_difference;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto begin = i - std::min(reach, i), end = std::min(i + reach + 1, x.size());
    const double center = median(x.subspan(begin, end - begin));
    clipped[i] = std::clamp(x[i], center - allowed, center + allowed);
  }
  return clipped;
}

}  // namespace ridge::stats
