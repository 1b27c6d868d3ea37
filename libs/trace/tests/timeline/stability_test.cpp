// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <random>

#include <gmock/gmock.h>

#include <ridge/trace/stability.hpp>

namespace ridge::trace {
namespace {

using ::testing::ElementsAre;
using lengths = std::vector<nanoseconds>;

TEST(stability, measures_spread_and_the_first_step) {
  const auto s = stability_of(lengths{300, 100, 110, 90});
  EXPECT_EQ(s.steps, 4);
  EXPECT_EQ(s.median_ns, 100);
  EXPECT_EQ(s.mad_ns, 10);
  EXPECT_EQ(s.min_ns, 90);
  EXPECT_EQ(s.max_ns, 300);
  EXPECT_DOUBLE_EQ(s.mean_ns, 150);
  EXPECT_DOUBLE_EQ(s.stddev_ns, std::sqrt((150 * 150 + 50 * 50 + 40 * 40 + 60 * 60) / 3.0));
  EXPECT_DOUBLE_EQ(*s.first_over_median, 3);
}

TEST(stability, knows_little_of_few_steps) {
  EXPECT_EQ(stability_of(lengths{}).median_ns, 0);
  const auto one = stability_of(lengths{5});
  EXPECT_EQ(one.stddev_ns, 0);
  EXPECT_FALSE(one.first_over_median);
  EXPECT_FALSE(stability_of(lengths{0, 0, 0}).first_over_median);
  EXPECT_FALSE(stability_of(lengths{10, 10, 10, 90, 90, 90}).bimodal);
}

TEST(stability, tells_two_regimes_apart) {
  const auto s = stability_of(lengths{1000, 1500, 1010, 1490, 1005, 1502, 995, 1498, 1001, 1503});
  ASSERT_TRUE(s.bimodal);
  EXPECT_EQ(s.bimodal->fast_count, 5);
  EXPECT_EQ(s.bimodal->slow_count, 5);
  EXPECT_EQ(s.bimodal->split_ns, 1010);
  EXPECT_EQ(s.bimodal->fast_median_ns, 1001);
  EXPECT_EQ(s.bimodal->slow_median_ns, 1500);
}

TEST(stability, does_not_call_one_tick_of_the_clock_two_regimes) {
  lengths ticks;
  for (int i = 0; i < 20; ++i) ticks.push_back(1'000'000 + (i % 2) * 1000);
  EXPECT_FALSE(stability_of(ticks).bimodal);
}

TEST(stability, rarely_sees_two_regimes_in_one_broad_one) {
  std::mt19937 draw(5);
  std::uniform_int_distribution<nanoseconds> uniform(1'000'000, 2'000'000);
  int alarms = 0;
  for (int round = 0; round < 1000; ++round) {
    lengths x(8 + static_cast<std::size_t>(round % 60));
    for (auto& v : x) v = uniform(draw);
    alarms += stability_of(x).bimodal.has_value();
  }
  EXPECT_LE(alarms, 15);
}

TEST(stability, names_steps_far_outside_the_others) {
  EXPECT_THAT(stability_of(lengths{100, 101, 99, 100, 180, 100, 102}).outliers, ElementsAre(4));
  EXPECT_TRUE(stability_of(lengths{100, 101, 99, 100}).outliers.empty());
}

}  // namespace
}  // namespace ridge::trace
