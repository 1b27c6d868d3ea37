// SPDX-License-Identifier: Apache-2.0
#include <ridge/stats/quantile.hpp>

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace ridge::stats {
namespace {

std::vector<double> one_to(std::size_t n) {
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<double>(i + 1);
  return x;
}

TEST(median, odd_even_single) {
  EXPECT_EQ(median(std::vector<double>{3, 1, 2}), 2);
  EXPECT_EQ(median(std::vector<double>{4, 1, 3, 2}), 2.5);
  EXPECT_EQ(median(std::vector<double>{7}), 7);
  EXPECT_EQ(mad(std::vector<double>{1, 1, 2, 2, 4, 6, 9}), 1);
}

TEST(sorted_quantile, interpolates_as_type_seven) {
  const std::vector<double> x{1, 2, 4, 8};
  EXPECT_DOUBLE_EQ(sorted_quantile(x, 0.25), 1.75);
  EXPECT_DOUBLE_EQ(sorted_quantile(x, 0.5), 3);
  EXPECT_DOUBLE_EQ(sorted_quantile(x, 0.9), 6.8);
  EXPECT_EQ(sorted_quantile(x, 1), 8);
  EXPECT_EQ(sorted_quantile(x, 0), 1);
}

TEST(quantile_interval, exists_exactly_from_the_needed_count_on) {
  EXPECT_EQ(observations_needed(0.99, 0.95), 368u);
  EXPECT_EQ(observations_needed(0.999, 0.95), 3688u);
  EXPECT_EQ(observations_needed(0.5, 0.95), 6u);
  EXPECT_EQ(observations_needed(0.01, 0.95), 368u);
  for (const double q : {0.5, 0.9, 0.99, 0.05}) {
    const auto n = observations_needed(q, 0.95);
    EXPECT_TRUE(quantile_with_interval(one_to(n), q, 0.95)) << q;
    EXPECT_FALSE(quantile_with_interval(one_to(n - 1), q, 0.95)) << q;
  }
}

TEST(quantile_interval, of_the_median_is_the_sign_interval) {
  const auto found = quantile_with_interval(one_to(20), 0.5, 0.95);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->ci, (interval{6, 15}));
  EXPECT_EQ(found->value, 10.5);
}

TEST(quantile_interval, covers_the_true_p90) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> draw;
  std::vector<double> x(200);
  int low = 0;
  int high = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    std::ranges::generate(x, [&] { return draw(random); });
    std::ranges::sort(x);
    const auto ci = quantile_with_interval(x, 0.9, 0.95)->ci;
    low += ci.hi < 0.9 ? 1 : 0;
    high += ci.lo > 0.9 ? 1 : 0;
  }
  EXPECT_LE(low, 72);  // 2.5 % of 2000 and three standard errors
  EXPECT_LE(high, 72);
  EXPECT_GE(low + high, 40);
}

}  // namespace
}  // namespace ridge::stats
