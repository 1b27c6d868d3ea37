// SPDX-License-Identifier: Apache-2.0
#include <ridge/measure/clock.hpp>

#include <vector>

#include <gtest/gtest.h>

#include <ridge/base/error.hpp>

namespace ridge::measure {
namespace {

TEST(quality_of, a_fine_clock_has_its_median_step_as_cost) {
  const std::vector<std::int64_t> readings{100, 120, 139, 160, 180, 5000};
  const auto q = quality_of(readings);
  EXPECT_EQ(q.resolution_ticks, 19);
  EXPECT_EQ(q.read_cost_ticks, 20);
}

TEST(quality_of, a_coarse_clock_has_its_mean_step_as_cost) {
  std::vector<std::int64_t> readings;
  for (int i = 0; i <= 1000; ++i) readings.push_back(i / 10 * 4);
  const auto q = quality_of(readings);
  EXPECT_EQ(q.resolution_ticks, 4);
  EXPECT_DOUBLE_EQ(q.read_cost_ticks, 0.4);
}

TEST(quality_of, a_clock_that_stands_still_is_refused) {
  const std::vector<std::int64_t> still(10, 7), one{1};
  EXPECT_THROW(static_cast<void>(quality_of(still)), precondition_violated);
  EXPECT_THROW(static_cast<void>(quality_of(one)), precondition_violated);
}

}  // namespace
}  // namespace ridge::measure
