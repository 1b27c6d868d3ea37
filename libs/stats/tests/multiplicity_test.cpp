// SPDX-License-Identifier: Apache-2.0
#include <ridge/stats/multiplicity.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::stats {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;

TEST(holm, textbook_example) {
  const std::vector<double> p{0.01, 0.04, 0.03, 0.005};
  EXPECT_THAT(holm(p), Pointwise(DoubleNear(1e-12), {0.03, 0.06, 0.06, 0.02}));
  EXPECT_THAT(holm(std::vector<double>{0.9, 0.8}), ElementsAre(1.0, 1.0));
  EXPECT_TRUE(holm({}).empty());
}

TEST(holm, divisors_fall_until_the_first_that_is_not_rejected) {
  EXPECT_THAT(holm_divisors(std::vector<double>{0.01, 0.04, 0.03, 0.005}, 0.05), ElementsAre(3, 2, 2, 4));
  // 0.03 > 0.05/2 stops the procedure: 0.04 may not pass at 0.05/1 behind it.
  EXPECT_THAT(holm_divisors(std::vector<double>{0.03, 0.04}, 0.05), ElementsAre(2, 2));
  EXPECT_THAT(holm_divisors(std::vector<double>{0.001, 0.04}, 0.05), ElementsAre(2, 1));
}

TEST(holm, divisors_and_adjusted_values_agree) {
  std::mt19937_64 random(2);
  std::exponential_distribution<double> draw(3);
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<double> p(6);
    for (double& v : p) v = std::min(1.0, 0.2 * draw(random));
    const auto adjusted = holm(p);
    const auto divisors = holm_divisors(p, 0.05);
    for (std::size_t i = 0; i < p.size(); ++i) {
      EXPECT_EQ(adjusted[i] <= 0.05, p[i] <= 0.05 / static_cast<double>(divisors[i]));
    }
  }
}

TEST(benjamini_hochberg, textbook_example) {
  const std::vector<double> p{0.01, 0.02, 0.03, 0.04, 0.05};
  EXPECT_THAT(benjamini_hochberg(p), Pointwise(DoubleNear(1e-12), {0.05, 0.05, 0.05, 0.05, 0.05}));
  const std::vector<double> mixed{0.5, 0.001, 0.02, 0.9};
  EXPECT_THAT(benjamini_hochberg(mixed), Pointwise(DoubleNear(1e-12), {2.0 / 3, 0.004, 0.04, 0.9}));
}

TEST(letters, neighbours_overlap) {
  const auto apart = [](std::size_t i, std::size_t j) { return j - i > 1; };
  EXPECT_THAT(letters(4, apart), ElementsAre("a", "ab", "bc", "c"));
  EXPECT_THAT(letters(3, [](std::size_t, std::size_t) { return false; }), ElementsAre("a", "a", "a"));
  EXPECT_THAT(letters(3, [](std::size_t, std::size_t) { return true; }), ElementsAre("a", "b", "c"));
  EXPECT_TRUE(letters(0, apart).empty());
}

TEST(letters, shared_exactly_by_arms_that_do_not_differ) {
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 50; ++trial) {
    constexpr std::size_t arms = 8;
    bool different[arms][arms] = {};
    for (auto& row : different) {
      for (bool& cell : row) cell = random() % 3 == 0;
    }
    const auto display = letters(arms, [&](std::size_t i, std::size_t j) { return different[i][j]; });
    for (std::size_t i = 0; i < arms; ++i) {
      for (std::size_t j = i + 1; j < arms; ++j) {
        const bool shared = display[i].find_first_of(display[j]) != std::string::npos;
        EXPECT_NE(shared, different[i][j]) << display[i] << ' ' << display[j];
      }
    }
  }
}

}  // namespace
}  // namespace ridge::stats
