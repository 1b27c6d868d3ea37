// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/pair_estimate.hpp>

#include <ridge/harness/independent_values.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <ridge/stats/dependence.hpp>
#include <ridge/stats/order_interval.hpp>
#include <ridge/stats/quantile.hpp>

namespace ridge::harness {
namespace {

constexpr std::size_t least_blocks = 12;

interval ratio_interval(std::vector<double> x, std::size_t rank) {
  if (rank == 0) return {0, std::numeric_limits<double>::infinity()};
  std::ranges::sort(x);
  const auto logs = stats::order_interval(x, rank);
  return {std::exp(logs.lo), std::exp(logs.hi)};
}

double claim_p(std::span<const double> x, double effect) {
  const double edge = std::log1p(effect), middle = stats::median(x);
  if (middle > edge) return stats::sign_test_p(x, edge);
  if (middle < -edge) return stats::sign_test_p(x, -edge);
  return std::max(stats::sign_test_p(x, edge), stats::sign_test_p(x, -edge));
}

}  // namespace

independent_values independent_values_of(std::span<const double> x) {
  const auto length = stats::block_length(x.size());
  if (x.empty() || x.size() / length < least_blocks || !stats::dependent(x)) return {{x.begin(), x.end()}, 1};
  return {stats::block_medians(x, length), length};
}

double pair_estimate::half_width() const {
  return ci.lo > 0 ? (std::log(ci.hi) - std::log(ci.lo)) / 2 : std::numeric_limits<double>::infinity();
}

stats::look look_schedule::full_rotation(double alpha) {
  auto& state = walks_.try_emplace(alpha, progress{stats::spending_walk(alpha)}).first->second;
  for (; state.looked < points_.size(); ++state.looked) {
    const auto& at = points_[state.looked];
    state.last = state.walk.step(at.rounds, at.fraction);
  }
  return state.last;
}

stats::look look_schedule::replay(std::span<const std::uint64_t> rounds, std::size_t block,
                                  double alpha) const {
  stats::spending_walk walk(alpha);
  stats::look last{};
  for (const auto& at : points_) {
    const auto seen = static_cast<std::size_t>(std::ranges::lower_bound(rounds, at.rounds) - rounds.begin());
    last = walk.step(seen / block, at.fraction);
  }
  return last;
}

pair_estimate look_schedule::estimate(std::span<const double> x, std::span<const std::uint64_t> rounds,
                                      double alpha, double effect) {
  pair_estimate e{.pairs = x.size()};
  if (x.empty()) return e;
  if (x.size() >= 4) e.autocorrelation = stats::autocorrelation(x, 1);
  auto [used, length] = independent_values_of(x);
  stats::look now{};
  if (length > 1) {
    e.block_length = length;
    now = replay(rounds, length, alpha);
  } else {
    const bool every_round = !points_.empty() && x.size() == points_.back().rounds;
    now = every_round ? full_rotation(alpha) : replay(rounds, 1, alpha);
  }
  e.alpha_spent = now.spent;
  e.ratio = std::exp(stats::median(used));
  e.p_claim = claim_p(used, effect);
  e.ci = ratio_interval(std::move(used), now.rank);
  if (x.size() >= 16) e.halves_agree = stats::split_half_check(x, 0.005).agree;
  return e;
}

}  // namespace ridge::harness
