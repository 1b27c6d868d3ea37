// SPDX-License-Identifier: Apache-2.0
#include <ridge/stats/summary.hpp>

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <ridge/base/error.hpp>

namespace ridge::stats {
namespace {

TEST(summary, five_numbers_of_unsorted_data) {
  const auto s = summarize(std::vector<double>{9, 1, 5, 3, 7});
  EXPECT_EQ(s.min, 1);
  EXPECT_EQ(s.lower_quartile, 3);
  EXPECT_EQ(s.median, 5);
  EXPECT_EQ(s.upper_quartile, 7);
  EXPECT_EQ(s.max, 9);
}

TEST(summary, deviation_survives_a_large_offset) {
  EXPECT_DOUBLE_EQ(standard_deviation(std::vector<double>{1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16}),
                   std::sqrt(30.0));
  EXPECT_EQ(standard_deviation(std::vector<double>{4}), 0);
}

TEST(geometric_mean, neither_overflows_nor_takes_zero) {
  EXPECT_NEAR(geometric_mean(std::vector<double>{0.5, 2, 8}), 2, 1e-14);
  EXPECT_NEAR(geometric_mean(std::vector<double>{1e300, 1e300, 1e-300}) / 1e100, 1, 1e-12);
  EXPECT_THROW(static_cast<void>(geometric_mean(std::vector<double>{1, 0})), precondition_violated);
}

TEST(from_log, a_symmetric_interval_of_logs_is_reciprocal) {
  const auto ratios = from_log({-0.1, 0.1});
  EXPECT_NEAR(ratios.lo * ratios.hi, 1, 1e-15);
  EXPECT_GT(ratios.hi, 1.1);
}

}  // namespace
}  // namespace ridge::stats
