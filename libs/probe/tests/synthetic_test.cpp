// SPDX-License-Identifier: Apache-2.0
#include <ridge/probe/synthetic.hpp>

#include <gtest/gtest.h>

namespace ridge::probe {
namespace {

TEST(synthetic, judges_each_round_by_the_limits_of_its_own_moment) {
  // The clock halves in the second half of the rounds: every share stays 0.9.
  std::vector<sweep_sample> rounds;
  for (int i = 0; i < 10; ++i) {
    const double clock = i < 5 ? 1 : 0.5;
    rounds.push_back({.rate = 0.9 * clock * 100, .bandwidth = clock * 1000, .peak = clock * 100});
  }
  const auto step = step_of(64, 4, rounds);
  EXPECT_DOUBLE_EQ(step.intensity, 32);
  EXPECT_DOUBLE_EQ(step.share, 0.9);
  EXPECT_NEAR(step.share_ci.width(), 0, 1e-12);
  EXPECT_DOUBLE_EQ(step.roof, 75);
}

TEST(synthetic, takes_the_bandwidth_below_the_ridge_and_for_pure_reading) {
  const std::vector<sweep_sample> rounds(7, {.rate = 40, .bandwidth = 100, .peak = 1000});
  EXPECT_DOUBLE_EQ(step_of(1, 4, rounds).roof, 50);
  EXPECT_DOUBLE_EQ(step_of(1, 4, rounds).share, 0.8);
  EXPECT_DOUBLE_EQ(step_of(0, 4, rounds).roof, 100);
}

TEST(synthetic, tells_the_knee_from_the_rest) {
  model::intensity_sweep sweep{.bandwidth = 100, .peak = 1000};  // ridge at 10
  sweep.steps = {{.intensity = 1, .share = 0.97},
                 {.intensity = 4, .share = 0.8},
                 {.intensity = 30, .share = 0.7},
                 {.intensity = 100, .share = 1.01}};
  finish(sweep);
  EXPECT_DOUBLE_EQ(sweep.ridge, 10);
  EXPECT_FALSE(sweep.steps[0].at_knee);
  EXPECT_TRUE(sweep.steps[1].at_knee);
  EXPECT_TRUE(sweep.steps[2].at_knee);
  EXPECT_FALSE(sweep.steps[3].at_knee);
  EXPECT_NEAR(sweep.worst_off_knee, 0.03, 1e-12);
  EXPECT_NEAR(sweep.knee_rounding, 0.3, 1e-12);
}

}  // namespace
}  // namespace ridge::probe
