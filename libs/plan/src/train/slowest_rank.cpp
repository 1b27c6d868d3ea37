// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include <ridge/base/expects.hpp>
#include <ridge/plan/train/goodput.hpp>

namespace ridge::plan::train {
namespace {

// 1 - P(all of n draws lie in (-x, x) on the side of x): the mean of the largest is its integral over x > 0.
double outside(double x, double n) {
  const double above = std::erfc(x / std::numbers::sqrt2) / 2;
  return -std::expm1(n * std::log1p(-above)) - std::pow(above, n);
}

// Shares of experts that decrease as i^-skew, the busiest first.
std::vector<double> shares_of(std::int64_t experts, double skew) {
  std::vector<double> p(static_cast<std::size_t>(experts));
  for (std::size_t i = 0; i < p.size(); ++i) p[i] = std::pow(static_cast<double>(i + 1), -skew);
  const double all = std::accumulate(p.begin(), p.end(), 0.0);
  for (auto& one : p) one /= all;
  return p;
}

}  // namespace

double expected_maximum(std::int64_t n) {
  expects(n >= 1, "expected_maximum: at least one draw");
  if (n == 1) return 0;
  // Simpson's rule; beyond 12 the integrand vanishes even for 2^63 draws.
  constexpr int steps = 2400;
  constexpr double width = 12.0 / steps;
  double sum = 0;
  for (int i = 0; i <= steps; ++i) {
    const double weight = i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2;
    sum += weight * outside(i * width, static_cast<double>(n));
  }
  return sum * width / 3;
}

double straggler_factor(double sigma, std::int64_t gpus) { return 1 + sigma * expected_maximum(gpus); }

double expert_imbalance(std::int64_t experts, std::int64_t ranks, double assignments, double skew) {
  expects(ranks >= 1 && experts >= ranks && experts % ranks == 0, "expert_imbalance: ranks divide experts");
  if (ranks == 1) return 1;
  std::vector<double> of_rank(static_cast<std::size_t>(ranks));
  const auto shares = shares_of(experts, skew);
  for (std::size_t i = 0; i < shares.size(); ++i) of_rank[i % of_rank.size()] += shares[i];
  const double busiest = of_rank.front();
  const double mean = 1.0 / static_cast<double>(ranks);
  // All ranks whose expected load is within the random spread of the busiest compete for the maximum.
  const double spread = std::sqrt(busiest * (1 - busiest) / assignments);
  const auto rivals = std::ranges::count_if(of_rank, [&](double s) { return s >= busiest - spread; });
  return (busiest + spread * expected_maximum(rivals)) / mean;
}

}  // namespace ridge::plan::train
