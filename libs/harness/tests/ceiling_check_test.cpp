// SPDX-License-Identifier: Apache-2.0
#include "summary/ceiling_check.hpp"

#include <gtest/gtest.h>

#include <ridge/harness/ceilings.hpp>

namespace ridge::harness {
namespace {

using model::outcome;

model::measurement at_share(double share, std::string disturbed = {}) {
  return {.variant = "v",
          .metrics = {{.metric = {.name = "time", .unit = "s"}, .median = 1e-3, .ci = {0.99e-3, 1.01e-3}}},
          .of_ceiling = share,
          .ceiling = "cpu.triad, 1 thread",
          .ceiling_rate = 10e9,
          .ceiling_ci = interval{9.8e9, 10.2e9},
          .ceiling_disturbed = std::move(disturbed)};
}

TEST(ceiling_check, passes_below_the_ceiling_and_is_skipped_without_one) {
  EXPECT_EQ(ceiling_check(at_share(0.3), at_share(0.9)).result, outcome::pass);
  EXPECT_EQ(ceiling_check({}, {}).result, outcome::skipped);
}

TEST(ceiling_check, a_clear_violation_of_an_undisturbed_ceiling_fails) {
  const auto seen = ceiling_check(at_share(0.5), at_share(1.35));
  EXPECT_EQ(seen.result, outcome::fail);
  EXPECT_EQ(seen.value, 1.35);
  EXPECT_FALSE(leaves_doubt(seen));
}

TEST(ceiling_check, a_share_above_a_disturbed_ceiling_is_a_note_that_says_what_to_do) {
  const auto seen = ceiling_check(at_share(1.35, "61 of 80 rounds were disturbed"), at_share(0.5));
  EXPECT_EQ(seen.result, outcome::warn);
  EXPECT_TRUE(leaves_doubt(seen));
  EXPECT_NE(seen.evidence.find("61 of 80 rounds were disturbed"), std::string::npos) << seen.evidence;
  EXPECT_NE(seen.evidence.find("`ridge peak`"), std::string::npos) << seen.evidence;
}

TEST(ceiling_check, a_disturbed_ceiling_of_one_variant_does_not_excuse_the_other) {
  EXPECT_EQ(ceiling_check(at_share(1.35, "busy"), at_share(1.3)).result, outcome::fail);
  EXPECT_EQ(ceiling_check(at_share(1.3), at_share(1.35, "busy")).result, outcome::fail);
}

TEST(ceiling_check, intervals_that_overlap_leave_doubt) {
  auto wide = at_share(1.35);
  wide.metrics.front().ci.hi = 2e-3;
  EXPECT_EQ(ceiling_check(at_share(0.5), wide).result, outcome::warn);
  auto unsure = at_share(1.35);
  unsure.ceiling_ci = interval{9e9, 14e9};
  EXPECT_TRUE(leaves_doubt(ceiling_check(at_share(0.5), unsure)));
}

TEST(ceiling_check, results_of_older_versions_without_an_interval_are_judged_by_the_rate) {
  auto old = at_share(1.35);
  old.ceiling_ci.reset();
  EXPECT_EQ(ceiling_check(at_share(0.5), old).result, outcome::fail);
}

TEST(ceiling_check, says_that_the_ceiling_was_measured_once_more) {
  auto twice = at_share(1.35);
  twice.bound = model::bound::memory;
  twice.ceiling_first = 33e9;
  twice.ceiling_again = 35e9;
  const auto seen = ceiling_check(at_share(0.5), twice);
  EXPECT_EQ(seen.result, outcome::fail);
  EXPECT_NE(seen.evidence.find("measured once more (35.0 GB/s, before 33.0 GB/s)"), std::string::npos)
      << seen.evidence;
}

TEST(ceiling_check, a_little_above_is_warned_of_as_ever) {
  const auto seen = ceiling_check(at_share(0.5), at_share(1.1));
  EXPECT_EQ(seen.result, outcome::warn);
  EXPECT_FALSE(leaves_doubt(seen));
}

TEST(ceiling_check, more_than_a_tenth_of_the_rounds_disturbed_leave_doubt) {
  EXPECT_EQ(doubt_of_busy_machine(8, 80), "");
  EXPECT_EQ(doubt_of_busy_machine(9, 80), "9 of 80 rounds were disturbed");
}

TEST(stored_reading, tells_whether_the_ceiling_was_disturbed) {
  EXPECT_EQ(stored_reading({.value = 5, .ci = {4, 6}}).disturbed, "");
  EXPECT_EQ(stored_reading({.value = 5}).ci, (interval{5, 5}));
  EXPECT_NE(stored_reading({.value = 5, .disturbed = true}).disturbed, "");
}

}  // namespace
}  // namespace ridge::harness
