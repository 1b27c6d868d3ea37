// SPDX-License-Identifier: Apache-2.0
#include <ridge/stats/dependence.hpp>

#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace ridge::stats {
namespace {

std::vector<double> autoregressive(std::size_t n, double rho, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> draw;
  std::vector<double> x(n);
  double last = 0;
  for (double& v : x) v = last = rho * last + draw(random);
  return x;
}

TEST(autocorrelation, by_hand) {
  const std::vector<double> x{1, 2, 3, 4};
  EXPECT_DOUBLE_EQ(autocorrelation(x, 1), 0.25);
  EXPECT_DOUBLE_EQ(autocorrelation(x, 0), 1);
  EXPECT_EQ(autocorrelation(x, 4), 0);
  EXPECT_DOUBLE_EQ(sign_autocorrelation(x, 1), 0.25);
  EXPECT_EQ(autocorrelation(std::vector<double>(9, 3.0), 1), 0);
}

TEST(autocorrelation, of_a_constant_is_none_whatever_its_mean_rounds_to) {
  for (std::size_t n = 3; n < 40; ++n) {
    const std::vector<double> x(n, std::log(0.00076));
    EXPECT_EQ(autocorrelation(x, 1), 0) << n;
    EXPECT_FALSE(dependent(x)) << n;
  }
}

TEST(autocorrelation, recovers_the_process) {
  const auto x = autoregressive(20'000, 0.6, 1);
  EXPECT_NEAR(autocorrelation(x, 1), 0.6, 0.02);
  EXPECT_NEAR(autocorrelation(x, 2), 0.36, 0.03);
  EXPECT_NEAR(sign_autocorrelation(x, 1), 0.41, 0.03);  // 2/π · asin ρ
}

TEST(dependent, is_found_when_there_and_seldom_otherwise) {
  int found = 0;
  int false_alarms = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    found += dependent(autoregressive(200, 0.4, seed)) ? 1 : 0;
    false_alarms += dependent(autoregressive(200, 0, seed + 1000)) ? 1 : 0;
  }
  EXPECT_GE(found, 495);
  EXPECT_LE(false_alarms, 35);
  EXPECT_FALSE(dependent(std::vector<double>{1, 2}));
}

TEST(dependent, one_outlier_cannot_hide_it) {
  auto x = autoregressive(400, 0.6, 3);
  x[200] = 1e9;
  EXPECT_LT(autocorrelation(x, 1), 0.1);
  EXPECT_TRUE(dependent(x));
}

TEST(block_length, is_the_cube_root_rounded_up) {
  EXPECT_EQ(block_length(1), 1u);
  EXPECT_EQ(block_length(27), 3u);
  EXPECT_EQ(block_length(28), 4u);
  EXPECT_EQ(block_length(1'000'000), 100u);
}

TEST(block_medians, every_observation_counts) {
  const std::vector<double> x{3, 1, 2, 9, 8, 7, 5, 4};
  EXPECT_EQ(block_medians(x, 3), (std::vector<double>{2, 7}));
  EXPECT_EQ(block_medians(x, 8), (std::vector<double>{4.5}));
  EXPECT_EQ(block_medians(x, 100), (std::vector<double>{4.5}));
  EXPECT_EQ(block_medians(x, 1), x);
}

TEST(block_medians, are_less_dependent_than_their_observations) {
  const auto x = autoregressive(1000, 0.5, 9);
  EXPECT_LT(autocorrelation(block_medians(x, block_length(x.size())), 1), 0.25);
}

TEST(split_half, sees_drift_and_leaves_steady_data_alone) {
  int drifted = 0;
  int disagreed = 0;
  int disagreed_strictly = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    auto x = autoregressive(200, 0, seed);
    disagreed += split_half_check(x, 0.05).agree ? 0 : 1;
    disagreed_strictly += split_half_check(x, 0.005).agree ? 0 : 1;
    for (std::size_t i = 100; i < x.size(); ++i) x[i] += 1;
    drifted += split_half_check(x, 0.005).agree ? 0 : 1;
  }
  EXPECT_GE(drifted, 950);
  EXPECT_LE(disagreed, 260);
  EXPECT_LE(disagreed_strictly, 90);
}

TEST(split_half, halves_without_an_interval_agree) {
  const auto short_run = split_half_check(std::vector<double>{1, 1, 1, 50, 50, 50}, 0.05);
  EXPECT_TRUE(short_run.agree);
  EXPECT_EQ(short_run.first, 1);
  EXPECT_EQ(short_run.second, 50);
}

}  // namespace
}  // namespace ridge::stats
