// SPDX-License-Identifier: Apache-2.0
#include <ridge/stats/spending_walk.hpp>

#include <algorithm>
#include <cmath>

#include <ridge/base/expects.hpp>
#include <ridge/stats/order_interval.hpp>
#include <ridge/stats/special.hpp>

namespace ridge::stats {
namespace {

// Probabilities below this are left out: all of them together are below 1e-16 of error.
constexpr double negligible = 1e-22;

struct lattice {
  std::size_t first = 0;
  std::vector<double> probability;
};

// Returns Bin(steps, ½) where it is not negligible, computed outwards from the middle by the ratios of
// neighbours.
lattice fair_steps(std::size_t steps) {
  const auto middle = steps / 2;
  std::vector<double> upper{1.0};
  for (auto k = middle; k < steps && upper.back() > negligible; ++k) {
    upper.push_back(upper.back() * static_cast<double>(steps - k) / static_cast<double>(k + 1));
  }
  std::vector<double> values;
  double term = 1;
  for (auto k = middle; k > 0 && term > negligible; --k) {
    term *= static_cast<double>(k) / static_cast<double>(steps - k + 1);
    values.push_back(term);
  }
  const auto first = middle - values.size();
  std::ranges::reverse(values);
  values.insert(values.end(), upper.begin(), upper.end());
  double total = 0;
  for (const double v : values) total += v;
  for (double& v : values) v /= total;
  return {first, std::move(values)};
}

std::vector<double> convolve(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> sum(a.size() + b.size() - 1, 0.0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) sum[i + j] += a[i] * b[j];
  }
  return sum;
}

}  // namespace

double obrien_fleming(double alpha, double fraction) {
  if (fraction <= 0) return 0;
  if (fraction >= 1) return alpha;
  return 2 * normal_cdf(normal_quantile(alpha / 2) / std::sqrt(fraction));
}

spending_walk::spending_walk(double alpha, double already_spent) : alpha_(alpha), spent_(already_spent) {
  expects(alpha > 0 && alpha < 1, "spending_walk: alpha lies strictly between 0 and 1");
  expects(already_spent >= 0 && already_spent <= alpha, "spending_walk: no more than alpha is spent already");
}

look spending_walk::step(std::size_t n, double fraction) {
  fraction = std::min(fraction, 1.0);
  expects(n >= n_, "spending_walk: observations never become fewer");
  expects(fraction >= fraction_, "spending_walk: the fraction of the budget never falls");
  fraction_ = fraction;
  advance(n);
  const auto rank = absorb(obrien_fleming(alpha_, fraction) - spent_);
  return {rank, spent_, rank_confidence(n, rank)};
}

void spending_walk::advance(std::size_t n) {
  if (n == n_) return;
  const auto steps = fair_steps(n - n_);
  first_ += steps.first;
  probability_ = convolve(probability_, steps.probability);
  n_ = n;
  const auto unused = [&](std::size_t i) {
    return probability_[i] <= negligible && probability_[probability_.size() - 1 - i] <= negligible;
  };
  std::size_t count = 0;
  while (2 * count + 1 < probability_.size() && unused(count)) ++count;
  trim(count);
}

void spending_walk::trim(std::size_t count) {
  const auto offset = static_cast<std::ptrdiff_t>(count);
  probability_.erase(probability_.end() - offset, probability_.end());
  probability_.erase(probability_.begin(), probability_.begin() + offset);
  first_ += count;
}

// The walk is symmetric, so both ends are treated together. x_(n+1-k) < m exactly when fewer than k
// observations exceed m: the first state that is kept is the rank.
std::size_t spending_walk::absorb(double allowance) {
  std::size_t taken = 0;
  double tail = 0;
  while (2 * taken + 1 < probability_.size() && 2 * (tail + probability_[taken]) <= allowance) {
    tail += probability_[taken++];
  }
  spent_ += 2 * tail;
  trim(taken);
  return first_;
}

}  // namespace ridge::stats
