// SPDX-License-Identifier: Apache-2.0
#include <ridge/stats/confidence_sequence.hpp>

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <ridge/stats/order_interval.hpp>

namespace ridge::stats {
namespace {

TEST(anytime_rank, no_interval_from_too_little) {
  EXPECT_EQ(anytime_rank(0, 0.05), 0u);
  EXPECT_EQ(anytime_rank(13, 0.05), 0u);
  EXPECT_EQ(anytime_rank(14, 0.05), 1u);
}

TEST(anytime_rank, looking_after_every_observation_keeps_the_error) {
  constexpr std::size_t horizon = 2000;
  constexpr int trials = 2000;
  std::vector<std::size_t> rank(horizon + 1);
  for (std::size_t n = 0; n <= horizon; ++n) rank[n] = anytime_rank(n, 0.05);
  std::mt19937_64 random(17);
  int alarms = 0;
  for (int trial = 0; trial < trials; ++trial) {
    std::size_t above = 0;
    bool excluded = false;
    for (std::size_t n = 1; n <= horizon && !excluded; ++n) {
      above += random() >> 63;
      excluded = above < rank[n] || n - above < rank[n];
    }
    alarms += excluded ? 1 : 0;
  }
  EXPECT_LE(alarms, 131);  // 99.9 % bound at 5 %
  EXPECT_GE(alarms, 30);   // not needlessly wide
}

TEST(anytime_rank, costs_less_than_twice_the_width_of_a_single_look) {
  for (const std::size_t n : {50u, 200u, 1000u, 100'000u}) {
    const auto half = [n](std::size_t k) { return static_cast<double>(n) / 2 - static_cast<double>(k); };
    EXPECT_LE(half(anytime_rank(n, 0.05)), 2 * half(sign_rank(n, 0.05))) << n;
  }
}

}  // namespace
}  // namespace ridge::stats
