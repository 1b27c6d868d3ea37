// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/stability.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include <ridge/stats/outliers.hpp>

namespace ridge::trace {
namespace {

nanoseconds lower_median(std::span<const nanoseconds> ascending) {
  return ascending.empty() ? 0 : ascending[(ascending.size() - 1) / 2];
}

nanoseconds median_distance(std::span<const nanoseconds> lengths, nanoseconds starts) {
  std::vector<nanoseconds> distance(lengths.size());
  std::ranges::transform(lengths, distance.begin(), [&](nanoseconds v) { return std::abs(v - starts); });
  std::ranges::sort(distance);
  return lower_median(distance);
}

struct moments {
  double mean = 0;
  double variance = 0;  // sample variance
};

moments moments_of(std::span<const nanoseconds> x) {
  if (x.empty()) return {};
  const auto n = static_cast<double>(x.size());
  const double mean = std::accumulate(x.begin(), x.end(), 0.0) / n;
  double squares = 0;
  for (const auto v : x) squares += (static_cast<double>(v) - mean) * (static_cast<double>(v) - mean);
  return {mean, x.size() > 1 ? squares / (n - 1) : 0};
}

// The cut of ascending values into two groups with the least squares within them.
std::size_t best_cut(std::span<const nanoseconds> x, std::size_t smallest) {
  const auto total = std::accumulate(x.begin(), x.end(), 0.0);
  double left = std::accumulate(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(smallest), 0.0);
  double best_between = -1;
  std::size_t best = smallest;
  for (auto k = smallest; k + smallest <= x.size(); ++k) {
    const auto n_left = static_cast<double>(k), n_right = static_cast<double>(x.size() - k);
    const double apart = left / n_left - (total - left) / n_right;
    const double between = n_left * n_right * apart * apart;
    if (between > best_between) best_between = between, best = k;
    left += static_cast<double>(x[k]);
  }
  return best;
}

double separation_of(const moments& fast, const moments& slow) {
  const double spread = std::sqrt(fast.variance + slow.variance);
  const double apart = slow.mean - fast.mean;
  return std::numbers::sqrt2 * apart / std::max(spread, 1.0);  // 1 ns: the resolution of a clock
}

std::optional<two_regimes> regimes_of(std::span<const nanoseconds> ascending) {
  const auto n = ascending.size();
  if (n < two_regimes::fewest_steps) return std::nullopt;
  const auto cut = best_cut(ascending, std::max<std::size_t>(3, (n + 4) / 5));
  const auto fast = ascending.first(cut), slow = ascending.subspan(cut);
  const two_regimes found{.split_ns = fast.back(),
                          .fast_count = fast.size(),
                          .slow_count = slow.size(),
                          .fast_median_ns = lower_median(fast),
                          .slow_median_ns = lower_median(slow),
                          .separation = separation_of(moments_of(fast), moments_of(slow))};
  const bool apart = found.separation >= 3.8 + 40 / static_cast<double>(n);
  const bool matters = (found.slow_median_ns - found.fast_median_ns) * 50 >= found.fast_median_ns;
  return apart && matters ? std::optional(found) : std::nullopt;
}

std::vector<std::size_t> outliers_of(std::span<const nanoseconds> lengths) {
  std::vector<std::size_t> far;
  if (lengths.size() < 4) return far;
  const std::vector<double> x(lengths.begin(), lengths.end());
  const auto fence = stats::tukey_fences(x).outer;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] < fence.lo || x[i] > fence.hi) far.push_back(i);
  }
  return far;
}

std::optional<double> first_over_median(std::span<const nanoseconds> lengths) {
  if (lengths.size() < 2) return std::nullopt;
  std::vector<nanoseconds> others(lengths.begin() + 1, lengths.end());
  std::ranges::sort(others);
  const auto median = lower_median(others);
  if (median == 0) return std::nullopt;
  return static_cast<double>(lengths.front()) / static_cast<double>(median);
}

}  // namespace

step_stability stability_of(std::span<const nanoseconds> lengths) {
  step_stability out{.steps = lengths.size()};
  if (lengths.empty()) return out;
  std::vector<nanoseconds> ascending(lengths.begin(), lengths.end());
  std::ranges::sort(ascending);
  const auto m = moments_of(lengths);
  out.min_ns = ascending.front();
  out.median_ns = lower_median(ascending);
  out.max_ns = ascending.back();
  out.mad_ns = median_distance(lengths, out.median_ns);
  out.mean_ns = m.mean;
  out.stddev_ns = std::sqrt(m.variance);
  out.first_over_median = first_over_median(lengths);
  out.bimodal = regimes_of(ascending);
  out.outliers = outliers_of(lengths);
  return out;
}

step_stability stability_of(std::span<const step> steps) {
  std::vector<nanoseconds> lengths;
  for (const auto& s : steps) lengths.push_back(s.window.length_ns());
  return stability_of(lengths);
}

}  // namespace ridge::trace
