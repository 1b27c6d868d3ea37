// SPDX-License-Identifier: Apache-2.0
#include <ridge/stats/rank_sum.hpp>

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <ridge/base/expects.hpp>

namespace ridge::stats {
namespace {

TEST(rank_sum, of_separate_samples_by_hand) {
  // All of x lie below all of y: U = 0, mean 50, variance 100/12·21 = 175, |z| = 49.5/√175.
  std::vector<double> x, y;
  for (int i = 0; i < 10; ++i) {
    x.push_back(i);
    y.push_back(100 + i);
  }
  EXPECT_NEAR(rank_sum_p(x, y), std::erfc(49.5 / std::sqrt(175.0) / std::sqrt(2.0)), 1e-12);
  EXPECT_EQ(rank_sum_p(x, y), rank_sum_p(y, x));
}

TEST(rank_sum, of_ties_shares_ranks) {
  // Eight zeros and eight ones against four zeros and twelve ones: U = 96, mean 128, twelve zeros and twenty
  // ones tied: variance 256/12·(33 − (1716 + 7980)/992).
  std::vector<double> x(16, 0.0), y(16, 1.0);
  for (int i = 0; i < 8; ++i) x[static_cast<std::size_t>(i)] = 1;
  for (int i = 0; i < 4; ++i) y[static_cast<std::size_t>(i)] = 0;
  const auto variance = 256.0 / 12 * (33 - 9696.0 / 992);
  EXPECT_NEAR(rank_sum_p(x, y), std::erfc(31.5 / std::sqrt(variance) / std::sqrt(2.0)), 1e-12);
  EXPECT_EQ(rank_sum_p(std::vector<double>(9, 2.0), std::vector<double>(12, 2.0)), 1) << "nothing differs";
}

TEST(rank_sum, rejects_one_in_twenty_of_equal_distributions) {
  std::mt19937_64 random(7);
  std::lognormal_distribution<double> skewed(0, 1);
  int rejected = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    std::vector<double> x(12), y(20);
    for (auto& value : x) value = skewed(random);
    for (auto& value : y) value = skewed(random);
    rejected += rank_sum_p(x, y) < 0.05 ? 1 : 0;
  }
  EXPECT_GT(rejected, 140);
  EXPECT_LT(rejected, 240);
}

TEST(rank_sum, of_few_observations_is_refused) {
  EXPECT_THROW((void)rank_sum_p(std::vector<double>(7, 1.0), std::vector<double>(20, 1.0)),
               precondition_violated);
}

}  // namespace
}  // namespace ridge::stats
