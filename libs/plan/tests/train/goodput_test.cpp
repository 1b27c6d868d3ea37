// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/train/goodput.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace ridge::plan::train {
namespace {

TEST(expected_maximum, agrees_with_known_means) {
  EXPECT_EQ(expected_maximum(1), 0);
  EXPECT_NEAR(expected_maximum(2), 1 / std::sqrt(M_PI), 1e-9);
  EXPECT_NEAR(expected_maximum(3), 3 / (2 * std::sqrt(M_PI)), 1e-9);
  // Tables of order statistics (Harter, 1961).
  EXPECT_NEAR(expected_maximum(5), 1.16296, 1e-5);
  EXPECT_NEAR(expected_maximum(10), 1.53875, 1e-5);
}

TEST(expected_maximum, agrees_with_draws) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  for (const int n : {16, 256, 2048}) {
    double sum = 0;
    constexpr int rounds = 4000;
    for (int i = 0; i < rounds; ++i) {
      double most = -10;
      for (int j = 0; j < n; ++j) most = std::max(most, normal(random));
      sum += most;
    }
    EXPECT_NEAR(expected_maximum(n), sum / rounds, 0.03) << n;
  }
}

TEST(expected_maximum, stays_below_its_bound) {
  double last = 0;
  for (std::int64_t n = 2; n <= (1 << 20); n *= 2) {
    EXPECT_LT(expected_maximum(n), std::sqrt(2 * std::log(static_cast<double>(n))));
    EXPECT_GT(expected_maximum(n), last);
    last = expected_maximum(n);
  }
  EXPECT_NEAR(straggler_factor(0.02, 1 << 17), 1 + 0.02 * expected_maximum(1 << 17), 1e-12);
  EXPECT_EQ(straggler_factor(0.5, 1), 1);
}

TEST(checkpoint_interval, follows_young_and_daly) {
  EXPECT_DOUBLE_EQ(young_interval_s(50, 10000), 1000);
  // Daly's order adds C/3 · ... : 1000 (1 + 0.05/3 + 0.0025/9) - 50.
  EXPECT_NEAR(daly_interval_s(50, 10000), 1000 * (1 + 0.05 / 3 + 0.0025 / 9) - 50, 1e-9);
  EXPECT_DOUBLE_EQ(daly_interval_s(300, 100), 100);
}

// A job that fails at random moments, second by second of its life: work of `t`, a checkpoint, and so on; a
// failure throws back to the last checkpoint, and failures hit restarts too.
double simulated_share(const reliability& r, double mtbf_s, double interval_s, int segments) {
  std::mt19937_64 random(11);
  std::exponential_distribution<double> next(1 / mtbf_s);
  double wall = 0;
  double until_failure = next(random);
  const auto lasts = [&](double seconds) {  // false: failed on the way
    if (until_failure > seconds) {
      until_failure -= seconds;
      wall += seconds;
      return true;
    }
    wall += until_failure;
    until_failure = next(random);
    return false;
  };
  for (int i = 0; i < segments; ++i) {
    while (!lasts(interval_s + r.checkpoint_s)) {
      while (!lasts(r.restart_s)) {
      }
    }
  }
  return interval_s * segments / wall;
}

TEST(goodput, agrees_with_simulated_failures) {
  for (const double checkpoint : {10.0, 120.0, 600.0}) {
    for (const double restart : {0.0, 300.0, 1800.0}) {
      const reliability r{.gpu_mtbf_s = 3.6e7, .checkpoint_s = checkpoint, .restart_s = restart};
      const auto g = goodput_of(r, 4096);
      EXPECT_NEAR(g.share, simulated_share(r, g.mtbf_s, g.interval_s, 60000), 0.01)
          << checkpoint << " " << restart;
    }
  }
}

TEST(goodput, saves_at_the_best_interval) {
  const reliability r{.gpu_mtbf_s = 3.6e7, .checkpoint_s = 200, .restart_s = 600};
  const auto best = goodput_of(r, 8192);
  for (const double times : {0.5, 0.9, 0.99, 1.01, 1.1, 2.0}) {
    auto other = r;
    other.interval_s = best.interval_s * times;
    EXPECT_LT(goodput_of(other, 8192).share, best.share) << times;
  }
  EXPECT_NEAR(best.interval_s / best.daly_interval_s, 1, 0.01);
}

TEST(goodput, accounts_for_all_of_the_time) {
  const auto g = goodput_of({.gpu_mtbf_s = 1.8e8, .checkpoint_s = 60, .restart_s = 600}, 131072);
  EXPECT_NEAR(g.share + g.checkpoint_share + g.rework_share + g.restart_share, 1, 1e-9);
  EXPECT_GT(g.rework_share, 0);
  EXPECT_DOUBLE_EQ(g.mtbf_s, 1.8e8 / 131072);
}

TEST(goodput, is_whole_without_failures) {
  EXPECT_EQ(goodput_of({}, 1000).share, 1);
  EXPECT_EQ(goodput_of({.checkpoint_s = 60}, 1000).share, 1);
}

TEST(goodput, falls_with_more_gpus_and_slower_saving) {
  const reliability r{.gpu_mtbf_s = 1.8e8, .checkpoint_s = 60, .restart_s = 600};
  double last = 1;
  for (std::int64_t gpus = 8; gpus <= (1 << 17); gpus *= 4) {
    const double share = goodput_of(r, gpus).share;
    EXPECT_LT(share, last);
    last = share;
  }
  auto slower = r;
  slower.checkpoint_s = 600;
  EXPECT_LT(goodput_of(slower, 16384).share, goodput_of(r, 16384).share);
  EXPECT_GT(goodput_of({.gpu_mtbf_s = 1.8e8, .checkpoint_s = 0}, 16384).share, 0.999);
}

TEST(estimate, multiplies_steps_hours_and_prices) {
  goodput g;
  g.share = 0.8;
  g.mtbf_s = 10000;
  const auto e = estimate({.tokens = 1e12,
                           .tokens_per_step = 16e6,
                           .step_s = 5,
                           .gpus = 1000,
                           .dollars_per_gpu_hour = 2,
                           .gpu_power_w = 700,
                           .power_usage = 1.2},
                          g);
  EXPECT_EQ(e.steps, 62500);
  EXPECT_EQ(e.compute_s, 312500);
  EXPECT_EQ(e.wall_s, 390625);
  EXPECT_NEAR(e.gpu_hours, 390625.0 * 1000 / 3600, 1e-6);
  EXPECT_NEAR(e.dollars, e.gpu_hours * 2, 1e-6);
  EXPECT_NEAR(e.energy_j, 390625.0 * 1000 * 700 * 1.2, 1);
  EXPECT_NEAR(e.failures, 39.0625, 1e-9);
  EXPECT_NEAR(e.dollars_per_million_tokens, e.dollars / 1e6, 1e-9);
}

// Tokens dealt to experts one by one; experts in the order of their popularity go to ranks in turn.
double simulated_imbalance(int experts, int ranks, int assignments, double skew) {
  std::vector<double> weights;
  for (int i = 1; i <= experts; ++i) weights.push_back(std::pow(i, -skew));
  std::mt19937_64 random(13);
  std::discrete_distribution<int> pick(weights.begin(), weights.end());
  double sum = 0;
  constexpr int rounds = 200;
  for (int round = 0; round < rounds; ++round) {
    std::vector<int> load(static_cast<std::size_t>(ranks));
    for (int i = 0; i < assignments; ++i) ++load[static_cast<std::size_t>(pick(random) % ranks)];
    sum += *std::ranges::max_element(load) / (static_cast<double>(assignments) / ranks);
  }
  return sum / rounds;
}

TEST(expert_imbalance, agrees_with_dealt_tokens) {
  for (const double skew : {0.0, 0.5, 1.0}) {
    for (const int ranks : {4, 16, 64}) {
      const double dealt = simulated_imbalance(64, ranks, 8192, skew);
      EXPECT_NEAR(expert_imbalance(64, ranks, 8192, skew) / dealt, 1, 0.03) << skew << " " << ranks;
    }
  }
}

TEST(expert_imbalance, is_none_on_one_rank_and_fades_with_tokens) {
  EXPECT_EQ(expert_imbalance(64, 1, 100, 2), 1);
  EXPECT_NEAR(expert_imbalance(64, 8, 1e12, 0), 1, 1e-5);
  EXPECT_GT(expert_imbalance(64, 8, 1e3, 0), expert_imbalance(64, 8, 1e5, 0));
}

}  // namespace
}  // namespace ridge::plan::train
