// SPDX-License-Identifier: Apache-2.0
#include <ridge/stats/dependence.hpp>

#include <algorithm>
#include <cmath>

#include <ridge/base/expects.hpp>
#include <ridge/stats/order_interval.hpp>
#include <ridge/stats/quantile.hpp>
#include <ridge/stats/summary.hpp>

namespace ridge::stats {
namespace {

double lagged_share(std::span<const double> centered, std::size_t lag) {
  double whole = 0;
  double lagged = 0;
  for (const double v : centered) whole += v * v;
  for (std::size_t i = lag; i < centered.size(); ++i) lagged += centered[i] * centered[i - lag];
  return whole > 0 ? lagged / whole : 0;
}

interval sign_interval(std::span<const double> x, double alpha) {
  std::vector<double> sorted(x.begin(), x.end());
  std::ranges::sort(sorted);
  return order_interval(sorted, sign_rank(x.size(), alpha));
}

}  // namespace

double autocorrelation(std::span<const double> x, std::size_t lag) {
  if (x.size() <= lag) return 0;
  // The mean of a constant series is rounded: what remains about it would correlate with itself.
  if (std::ranges::all_of(x, [&](double v) { return v == x.front(); })) return 0;
  const double center = mean(x);
  std::vector<double> centered(x.begin(), x.end());
  for (double& v : centered) v -= center;
  return lagged_share(centered, lag);
}

double sign_autocorrelation(std::span<const double> x, std::size_t lag) {
  if (x.size() <= lag) return 0;
  const double center = median(x);
  std::vector<double> signs(x.size());
  std::ranges::transform(x, signs.begin(), [&](double v) {
    return v > center ? 1.0 : v < center ? -1.0 : 0.0;
  });
  return lagged_share(signs, lag);
}

bool dependent(std::span<const double> x) {
  if (x.size() < 3) return false;
  const double limit = std::max(0.1, 2 / std::sqrt(static_cast<double>(x.size())));
  return autocorrelation(x, 1) > limit || sign_autocorrelation(x, 1) > limit;
}

std::size_t block_length(std::size_t n) {
  auto length = static_cast<std::size_t>(std::cbrt(static_cast<double>(n)));
  while (length * length * length < n) ++length;
  return length;
}

std::vector<double> block_medians(std::span<const double> x, std::size_t length) {
  expects(length > 0, "block_medians: a block holds at least one observation");
  std::vector<double> medians;
  while (!x.empty()) {
    const auto take = x.size() < 2 * length ? x.size() : length;
    medians.push_back(median(x.first(take)));
    x = x.subspan(take);
  }
  return medians;
}

split_half split_half_check(std::span<const double> x, double alpha) {
  expects(x.size() >= 2, "split_half_check: at least one observation in each half");
  const auto early = x.first(x.size() / 2);
  const auto late = x.subspan(x.size() / 2);
  const double first = median(early);
  const double second = median(late);
  return {sign_interval(late, alpha).contains(first) && sign_interval(early, alpha).contains(second), first,
          second};
}

}  // namespace ridge::stats
