// SPDX-License-Identifier: Apache-2.0
#include <ridge/probe/why_low.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::probe {
namespace {

using testing::HasSubstr;

model::ceiling pageable(double value) {
  return {.id = "cuda.h2d.pageable", .unit = "B/s", .value = value, .specified = 64e9};
}

TEST(why_low, explains_what_is_low_and_nothing_else) {
  EXPECT_THAT(why_low(pageable(12e9)), HasSubstr("pin the memory"));
  EXPECT_EQ(why_low(pageable(60e9)), "");
}

TEST(why_low, a_row_without_limits_is_not_called_low) {
  EXPECT_EQ(why_low({.id = "cuda.h2d.pageable", .unit = "B/s", .value = 1}), "");
}

TEST(why_low, a_time_is_never_low) {
  EXPECT_EQ(why_low({.id = "cuda.copy", .unit = "s", .value = 1, .specified = 10}), "");
}

TEST(why_low, cores_that_reach_half_together_may_be_threads) {
  const model::ceiling half{
      .id = "cpu.fma.fp32", .unit = "FLOP/s", .value = 51, .threads = 16, .issue_limit = 100};
  EXPECT_THAT(why_low(half), HasSubstr("SMT"));
  auto alone = half;
  alone.threads = 1;
  EXPECT_EQ(why_low(alone), "");
}

TEST(explain, leaves_what_a_probe_said_itself) {
  auto row = pageable(12e9);
  row.note = "no DMA";
  explain(row);
  EXPECT_EQ(row.note, "no DMA");
  row.note.clear();
  explain(row);
  EXPECT_THAT(row.note, HasSubstr("pin"));
}

}  // namespace
}  // namespace ridge::probe
