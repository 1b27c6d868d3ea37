// SPDX-License-Identifier: Apache-2.0
#include <ridge/stats/median.hpp>

#include <cstdint>

#include <gtest/gtest.h>

#include <ridge/base/error.hpp>

namespace ridge::stats {
namespace {

TEST(median, is_the_middle_or_the_mean_of_the_middle_two) {
  EXPECT_EQ(median(std::vector{3.0, 1.0, 2.0}), 2);
  EXPECT_EQ(median(std::vector{4.0, 1.0, 2.0, 8.0}), 3);
  std::vector x{4.0, 1.0, 2.0, 8.0};
  EXPECT_EQ(median_in_place(x), 3);
  EXPECT_THROW((void)median({}), precondition_violated);
  EXPECT_THROW((void)median_in_place({}), precondition_violated);
}

TEST(median, of_whole_numbers_is_observed_or_rounded_down) {
  const std::vector<std::int64_t> even{7, 1, 2, 5}, odd{7, 1, 5};
  EXPECT_EQ(median_low(even), 2);
  EXPECT_EQ(median_high(even), 5);
  EXPECT_EQ(median_rounded(even), 3);
  EXPECT_EQ(median_low(odd), 5);
  EXPECT_EQ(median_high(odd), 5);
  EXPECT_EQ(median_rounded(odd), 5);
  EXPECT_THROW((void)median_low(std::vector<int>{}), precondition_violated);
  EXPECT_THROW((void)median_rounded(std::vector<int>{}), precondition_violated);
}

}  // namespace
}  // namespace ridge::stats
