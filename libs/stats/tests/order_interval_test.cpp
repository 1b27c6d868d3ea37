// SPDX-License-Identifier: Apache-2.0
#include <ridge/stats/order_interval.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <ridge/stats/quantile.hpp>

namespace ridge::stats {
namespace {

TEST(sign_rank, matches_the_published_table) {
  // Critical values of the sign test, two-sided 5 % (rank = largest rejecting count + 1).
  EXPECT_EQ(sign_rank(5, 0.05), 0u);
  EXPECT_EQ(sign_rank(6, 0.05), 1u);
  EXPECT_EQ(sign_rank(12, 0.05), 3u);
  EXPECT_EQ(sign_rank(20, 0.05), 6u);
  EXPECT_EQ(sign_rank(50, 0.05), 18u);
  EXPECT_EQ(sign_rank(100, 0.05), 40u);
  EXPECT_EQ(sign_rank(100, 0.01), 37u);
  EXPECT_EQ(sign_rank(0, 0.05), 0u);
  EXPECT_NEAR(rank_confidence(6, 1), 0.96875, 1e-12);
}

TEST(order_interval, takes_ranks_from_both_ends) {
  const std::vector<double> x{1, 2, 3, 4, 5, 6, 7};
  EXPECT_EQ(order_interval(x, 1), (interval{1, 7}));
  EXPECT_EQ(order_interval(x, 4), (interval{4, 4}));
  EXPECT_TRUE(std::isinf(order_interval(x, 0).width()));
}

TEST(order_interval, covers_the_median_of_skewed_data) {
  std::mt19937_64 random(7);
  std::exponential_distribution<double> draw(1);
  std::vector<double> x(51);
  const auto k = sign_rank(x.size(), 0.05);
  int missed = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    std::ranges::generate(x, [&] { return draw(random); });
    std::ranges::sort(x);
    missed += order_interval(x, k).contains(std::log(2.0)) ? 0 : 1;
  }
  EXPECT_NEAR(missed / 4000.0, 1 - rank_confidence(51, k), 0.011);  // three standard errors
}

TEST(sign_test, counts_by_hand) {
  EXPECT_NEAR(sign_test_p(std::vector<double>{1, 2, 3, 4, 5, -1}), 14.0 / 64, 1e-14);
  EXPECT_NEAR(sign_test_p(std::vector<double>{0, 0, 1, 2, 3, 4, 5, 6}), 2.0 / 64, 1e-14);
  EXPECT_EQ(sign_test_p(std::vector<double>{3, 3}, 3), 1);
}

double by_definition(const std::vector<double>& x) {
  std::vector<double> means;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = i; j < x.size(); ++j) means.push_back((x[i] + x[j]) / 2);
  }
  return median(means);
}

TEST(hodges_lehmann, equals_the_definition_bit_by_bit) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> draw(0.001, 1);
  for (std::size_t n = 1; n < 60; ++n) {
    std::vector<double> x(n);
    std::ranges::generate(x, [&] { return n % 3 == 0 ? std::round(2 * draw(random)) : draw(random); });
    EXPECT_DOUBLE_EQ(hodges_lehmann(x), by_definition(x)) << n;
  }
}

TEST(hodges_lehmann, large_samples_with_wild_outliers) {
  std::vector<double> x(20'000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i) - 9'999.5;
  EXPECT_EQ(hodges_lehmann(x), 0);
  x.front() = -1e300;
  x.back() = 1e300;
  EXPECT_EQ(hodges_lehmann(x), 0);
}

}  // namespace
}  // namespace ridge::stats
