// SPDX-License-Identifier: Apache-2.0
#include <ridge/stats/hierarchy.hpp>

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace ridge::stats {
namespace {

TEST(across_forks, is_the_t_interval) {
  const auto ci = across_forks(std::vector<double>{1, 2, 3, 4, 5}, 0.05);
  EXPECT_NEAR(ci.lo, 3 - 2.776 * std::sqrt(2.5 / 5), 5e-4);
  EXPECT_NEAR(ci.hi, 3 + 2.776 * std::sqrt(2.5 / 5), 5e-4);
  EXPECT_TRUE(std::isinf(across_forks(std::vector<double>{1}, 0.05).width()));
}

TEST(across_forks, covers_the_mean_of_five) {
  std::mt19937_64 random(4);
  std::normal_distribution<double> draw(0.02, 0.01);
  int missed = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    std::vector<double> medians(5);
    for (double& m : medians) m = draw(random);
    missed += across_forks(medians, 0.05).contains(0.02) ? 0 : 1;
  }
  EXPECT_NEAR(missed / 4000.0, 0.05, 0.0104);  // three standard errors
}

TEST(between_exceeds_within, compares_scatter_with_the_intervals_inside) {
  const std::vector<double> medians{0.00, 0.05, -0.05};
  EXPECT_TRUE(between_exceeds_within(medians, std::vector<interval>(3, {-0.01, 0.01})));
  EXPECT_FALSE(between_exceeds_within(medians, std::vector<interval>(3, {-0.06, 0.06})));
  EXPECT_FALSE(between_exceeds_within(std::vector<double>{1}, std::vector<interval>{{1, 1}}));
}

}  // namespace
}  // namespace ridge::stats
