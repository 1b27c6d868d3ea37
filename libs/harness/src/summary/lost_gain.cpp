// SPDX-License-Identifier: Apache-2.0
#include "summary/lost_gain.hpp"

#include <algorithm>
#include <cmath>

#include <ridge/stats/median.hpp>
#include <ridge/stats/quantile.hpp>
#include <ridge/stats/special.hpp>
#include <ridge/stats/summary.hpp>

namespace ridge::harness {
namespace {

constexpr std::size_t least_values = 6;
constexpr double share_left = 0.5;
constexpr double least_claimed = 0.02;  // as a logarithm
constexpr double winsorised_from = 0.99;
constexpr std::size_t most_blocks = 24, least_block = 4;
// Noise below this share is not told from none: clocks have steps.
constexpr double least_error = 1e-4;

// Of a median: for normal values that of the mean is smaller by sqrt(pi / 2), and the deviation is 1.4826
// times the median absolute one. Of few values that one may be small by chance: then half the standard
// deviation counts.
double error_of_median(std::span<const double> values) {
  const double robust = 1.2533 * 1.4826 * stats::mad(values), plain = stats::standard_deviation(values) / 2;
  return std::max(robust, plain) / std::sqrt(static_cast<double>(values.size())) + least_error;
}

std::vector<double> without_the_slowest(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const double most = stats::sorted_quantile(sorted, winsorised_from);
  std::vector<double> made(values.begin(), values.end());
  for (double& value : made) value = std::min(value, most);
  return made;
}

double least_of_halves(std::span<const double> values, double (*middle)(std::span<const double>)) {
  const auto half = values.size() / 2;
  return std::min({middle(values), middle(values.first(half)), middle(values.subspan(half))});
}

lost_gain lost_by_medians(std::span<const double> lost) {
  if (lost.size() < 2) return {};
  return {.loss = least_of_halves(lost, stats::median),
          .t = stats::median(lost) / error_of_median(lost),
          .values = lost.size()};
}

}  // namespace

bool is_lost(double claimed, const lost_gain& lost, const loss_limits& limits) {
  if (lost.values < least_values || claimed <= least_claimed) return false;
  const bool half = lost.loss > (1 - share_left) * claimed && lost.loss > limits.least_loss;
  return half &&
         1 - stats::student_t_cdf(lost.t, static_cast<double>(lost.values - 1)) < limits.most_by_noise;
}

lost_gain lost_in_pairs(std::span<const double> claimed, std::span<const double> left) {
  std::vector<double> lost;
  for (std::size_t i = 0; i < std::min(claimed.size(), left.size()); ++i)
    lost.push_back(claimed[i] - left[i]);
  return lost_by_medians(lost);
}

lost_gain lost_in_means(std::span<const double> reference_s, std::span<const double> candidate_s) {
  const auto rounds = std::min(reference_s.size(), candidate_s.size());
  const auto length = std::max(least_block, rounds / most_blocks), blocks = rounds / length;
  if (blocks < 2) return {};
  const auto reference = without_the_slowest(reference_s.first(rounds));
  const auto candidate = without_the_slowest(candidate_s.first(rounds));
  std::vector<double> logs;
  for (std::size_t i = 0; i < rounds; ++i) logs.push_back(std::log(reference_s[i] / candidate_s[i]));
  const double middle = stats::median(logs);
  std::vector<double> lost;
  for (std::size_t block = 0; block < blocks; ++block) {
    const auto one = [&](const std::vector<double>& arm) {
      return stats::mean(std::span(arm).subspan(block * length, length));
    };
    lost.push_back(middle - std::log(one(reference) / one(candidate)));
  }
  const double error = stats::standard_deviation(lost) / std::sqrt(static_cast<double>(blocks)) + least_error;
  return {.loss = least_of_halves(lost, stats::mean), .t = stats::mean(lost) / error, .values = blocks};
}

lost_gain lost_in_single_calls(const single_calls& calls) {
  std::vector<double> lost;
  for (std::size_t i = 0; i < std::min(calls.looped_s.size(), calls.once_s.size()); ++i) {
    const double looped_s = calls.looped_s[i];
    lost.push_back(std::log(std::max(calls.once_s[i] - calls.alone_s, looped_s / 2) / looped_s));
  }
  return lost_by_medians(lost);
}

}  // namespace ridge::harness
