// SPDX-License-Identifier: Apache-2.0
#include <ridge/selftest/selftest.hpp>

#include <algorithm>
#include <set>

#include <gtest/gtest.h>
#include <ridge/selftest/stage_costs.hpp>

namespace ridge::selftest {
namespace {

TEST(row, passes_by_its_own_limit_and_direction) {
  EXPECT_TRUE((row{.value = 31, .limit = 31}.pass()));
  EXPECT_FALSE((row{.value = 32, .limit = 31}.pass()));
  EXPECT_FALSE((row{.value = 94, .limit = 95, .at_least = true}.pass()));
  EXPECT_TRUE((row{.value = 1e9}.pass())) << "a figure for the record has no limit";
}

TEST(names, are_those_the_project_promises_and_each_is_its_own) {
  const auto all = names();
  const std::set<std::string> unique(all.begin(), all.end());
  EXPECT_EQ(unique.size(), all.size());
  for (const char* promised :
       {"aa_register", "aa_cache", "aa_memory", "power_register", "power_cache", "error_register",
        "error_cache", "verdict_time", "iteration_cost", "list_time", "list_memory", "store_write",
        "store_history", "changes_independent", "changes_time"}) {
    EXPECT_TRUE(unique.contains(promised)) << promised;
  }
}

TEST(family_costs, adds_up_what_checks_and_stretches_the_rounds_to_the_budget) {
  const family_costs seen{.stages = {{.name = "verification", .seconds = 0.1, .checks = true},
                                     {.name = "warm_up", .seconds = 0.2},
                                     {.name = "timed", .seconds = 0.3},
                                     {.name = "between_samples", .seconds = 0.1, .checks = true}},
                          .budget_s = 2};
  EXPECT_NEAR(seen.seconds(), 0.7, 1e-12);
  EXPECT_NEAR(seen.check_seconds(), 0.2, 1e-12);
  EXPECT_NEAR(seen.seconds_at_full_budget(), 2.3, 1e-12);
  EXPECT_NEAR(seen.check_seconds_at_full_budget(), 0.1 + 0.5, 1e-12);
}

TEST(run, measures_only_what_was_asked_for) {
  std::vector<std::string> seen;
  run({"store_write"}, {},
      [&](const row& r) { seen.push_back(r.name + (r.skipped.empty() ? "" : " skipped")); });
  EXPECT_EQ(seen, std::vector<std::string>{"store_write skipped"});
}

TEST(run, holds_the_search_for_changes_to_its_limits) {
  std::vector<row> seen;
  run({"changes_independent", "changes_two_modes"}, {.scale = 0.1}, [&](const row& r) { seen.push_back(r); });
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_TRUE(seen[0].pass()) << seen[0].value;
  EXPECT_GT(seen[1].value, 0) << "series that keep two levels alarm now and then";
  EXPECT_TRUE(seen[1].pass()) << seen[1].value;
}

}  // namespace
}  // namespace ridge::selftest
