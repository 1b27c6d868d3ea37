// SPDX-License-Identifier: Apache-2.0
#include <ridge/selftest/selftest.hpp>

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

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
  for (const char* promised : {"aa_register", "aa_cache", "aa_memory", "power_register", "power_cache",
                               "error_register", "error_cache", "verdict_time", "iteration_cost", "list_time",
                               "list_memory", "store_write", "store_history"}) {
    EXPECT_TRUE(unique.contains(promised)) << promised;
  }
}

TEST(run, measures_only_what_was_asked_for) {
  std::vector<std::string> seen;
  run({"store_write"}, {},
      [&](const row& r) { seen.push_back(r.name + (r.skipped.empty() ? "" : " skipped")); });
  EXPECT_EQ(seen, std::vector<std::string>{"store_write skipped"});
}

}  // namespace
}  // namespace ridge::selftest
