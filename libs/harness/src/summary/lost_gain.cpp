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
constexpr double most_by_noise = 1e-4;
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

}  // namespace

bool is_lost(const gain_left& gain, double least_lost) {
  if (gain.values < least_values || gain.claimed <= least_claimed) return false;
  const bool half = gain.left < share_left * gain.claimed && gain.claimed - gain.left > least_lost;
  return half && 1 - stats::student_t_cdf(gain.t, static_cast<double>(gain.values - 1)) < most_by_noise;
}

gain_left gain_in_pairs(std::span<const double> claimed, std::span<const double> left) {
  std::vector<double> lost;
  for (std::size_t i = 0; i < std::min(claimed.size(), left.size()); ++i)
    lost.push_back(claimed[i] - left[i]);
  if (lost.empty()) return {};
  const double gain = stats::median(claimed), middle = stats::median(lost);
  return {.claimed = gain, .left = gain - middle, .t = middle / error_of_median(lost), .values = lost.size()};
}

gain_left gain_in_means(std::span<const double> reference_s, std::span<const double> candidate_s) {
  const auto rounds = std::min(reference_s.size(), candidate_s.size());
  const auto length = std::max(least_block, rounds / most_blocks), blocks = rounds / length;
  if (blocks < 2) return {};
  const auto reference = without_the_slowest(reference_s.first(rounds));
  const auto candidate = without_the_slowest(candidate_s.first(rounds));
  std::vector<double> logs;
  for (std::size_t i = 0; i < rounds; ++i) logs.push_back(std::log(reference_s[i] / candidate_s[i]));
  std::vector<double> left;
  for (std::size_t block = 0; block < blocks; ++block) {
    const auto one = [&](const std::vector<double>& arm) {
      return stats::mean(std::span(arm).subspan(block * length, length));
    };
    left.push_back(std::log(one(reference) / one(candidate)));
  }
  const double claimed = stats::median(logs), kept = stats::mean(left);
  const double error = stats::standard_deviation(left) / std::sqrt(static_cast<double>(blocks)) + least_error;
  return {.claimed = claimed, .left = kept, .t = (claimed - kept) / error, .values = blocks};
}

gain_left gain_of_single_calls(const single_calls& calls) {
  const auto& once = calls.candidate_once_s;
  if (once.empty() || !(calls.reference_s > 0) || !(calls.candidate_s > 0)) return {};
  std::vector<double> lost;
  for (const double seconds : once)
    lost.push_back(std::log(std::max(seconds - calls.alone_s, calls.candidate_s / 2) / calls.candidate_s));
  const double claimed = std::log(calls.reference_s / calls.candidate_s), middle = stats::median(lost);
  return {.claimed = claimed,
          .left = claimed - middle,
          .t = middle / error_of_median(lost),
          .values = lost.size()};
}

}  // namespace ridge::harness
