// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "mann_whitney.hpp"
#include "tally.hpp"
#include "welch.hpp"

namespace ridge::peers {
namespace {

// Gosset's sleep data (Biometrika 6, 1908), both drugs.
constexpr std::array sleep_1{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
constexpr std::array sleep_2{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};

TEST(welch, agrees_with_the_sleep_data) { EXPECT_NEAR(welch_p(sleep_1, sleep_2), 0.07939, 5e-6); }

TEST(mann_whitney, agrees_with_the_sleep_data) {
  EXPECT_NEAR(mann_whitney_p(sleep_1, sleep_2), 0.06933, 5e-6);
}

TEST(mann_whitney, says_nothing_of_equal_observations) {
  constexpr std::array same{1.0, 1.0, 1.0};
  EXPECT_EQ(mann_whitney_p(same, same), 1.0);
}

TEST(mann_whitney, is_two_sided) {
  constexpr std::array low{1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0},
      high{11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0};
  EXPECT_LT(mann_whitney_p(low, high), 0.001);
  EXPECT_DOUBLE_EQ(mann_whitney_p(low, high), mann_whitney_p(high, low));
}

TEST(rules, all_give_an_estimate_near_one_for_identical_arms) {
  const auto w = register_bound();
  for (const auto& r : rules()) {
    // Some of the rules are thrown off by one interruption: one trial of five has to come out near one.
    std::vector<double> ratios;
    const auto near_one = [](double ratio) { return ratio > 0.2 && ratio < 5.0; };
    while (ratios.size() < 5 && std::ranges::none_of(ratios, near_one))
      ratios.push_back(r.trial(*w, 0.01).ratio);
    EXPECT_TRUE(std::ranges::any_of(ratios, near_one)) << r.name << ": " << ratios.back();
  }
}

TEST(tallies, count_each_trial_of_each_rule) {
  const auto w = register_bound();
  const std::vector<rule> two{{"never",
                               [](workload&, double) {
                                 return outcome{false, 1.5};
                               }},
                              {"always", [](workload&, double) {
                                 return outcome{true, 1.0};
                               }}};
  const auto t = tallies(two, *w, 3, 0.001);
  ASSERT_EQ(t.size(), 2u);
  EXPECT_EQ(t[0].false_positives, 0u);
  EXPECT_DOUBLE_EQ(t[0].p95_error, 0.5);
  EXPECT_EQ(t[1].false_positives, 3u);
}

}  // namespace
}  // namespace ridge::peers
