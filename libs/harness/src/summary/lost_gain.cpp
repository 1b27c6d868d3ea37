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

constexpr std::size_t few = 6;
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

// By how much the median over such an error exceeds Student's t of the same probability, 1e-3 and 1e-4, most:
// of normal values, 2,000,000 draws for each count from 3 to 32 (lost_gain_test.cpp draws them again).
double widening(std::size_t values) { return values < 16 ? 1.48 : values < 24 ? 1.40 : 1.28; }

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
          .t = stats::median(lost) / error_of_median(lost) / widening(lost.size()),
          .values = lost.size(),
          .each = {lost.begin(), lost.end()}};
}

// Whether so many of the losses exceed a limit as chance makes half of them do so rarely.
bool nearly_all_exceed(const std::vector<double>& losses, double limit, double most_by_chance) {
  const auto within =
      static_cast<std::size_t>(std::ranges::count_if(losses, [&](double loss) { return loss <= limit; }));
  return !losses.empty() && stats::binomial_cdf(within, losses.size(), 0.5) < most_by_chance;
}

}  // namespace

double probability_by_noise(const lost_gain& lost) {
  return lost.values < 2 ? 1 : 1 - stats::student_t_cdf(lost.t, static_cast<double>(lost.values - 1));
}

bool is_lost(double claimed, const lost_gain& lost, const loss_limits& limits) {
  if (lost.values < 3 || claimed <= least_claimed) return false;
  const double allowed = std::max((1 - limits.share_left) * claimed, limits.least_loss);
  if (nearly_all_exceed(lost.each, allowed, limits.most_by_chance)) return true;
  const double most = lost.values < few ? limits.most_by_noise_of_few : limits.most_by_noise;
  return lost.loss > allowed && probability_by_noise(lost) < most;
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
