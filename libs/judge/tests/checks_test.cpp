// SPDX-License-Identifier: Apache-2.0
#include "trial/checks.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace ridge::judge {
namespace {

using model::outcome;
using model::verdict;

judgement better_with(std::vector<model::check> checks) {
  judgement made;
  made.checks = std::move(checks);
  made.session.emplace();
  made.session->results.push_back({.verdict = verdict::better});
  conclude(made);
  return made;
}

model::check check_of(const char* id, outcome result) { return {.id = id, .result = result}; }

TEST(checks, of_a_whole_judgement_give_assurance_2) {
  const auto made = better_with({check_of("verified", outcome::pass), check_of("sandbox", outcome::pass),
                                 check_of("speedup", outcome::pass)});
  EXPECT_EQ(made.verdict, verdict::better);
  EXPECT_EQ(made.assurance, 2);
}

TEST(checks, that_warn_of_the_sandbox_or_a_large_gain_lower_the_assurance) {
  for (const char* id : {"sandbox", "speedup"}) {
    auto all = std::vector{check_of("verified", outcome::pass), check_of("sandbox", outcome::pass),
                           check_of("speedup", outcome::pass)};
    for (auto& one : all) {
      if (one.id == id) one.result = outcome::warn;
    }
    EXPECT_EQ(better_with(all).assurance, 1) << id;
  }
}

TEST(checks, that_fail_make_the_verdict_invalid) {
  const auto made = better_with({check_of("verified", outcome::pass), check_of("suspended", outcome::fail)});
  EXPECT_EQ(made.verdict, verdict::invalid);
  EXPECT_EQ(made.assurance, 0);
}

TEST(checks, without_an_oracle_leave_the_verdict_unverified) {
  EXPECT_EQ(better_with({check_of("verified", outcome::warn)}).verdict, verdict::unverified);
}

TEST(checks, name_each_part_of_the_sandbox_and_why_it_was_refused) {
  sandbox_report report;
  report.code.fill(0);
  report[sandbox_part::landlock] = ENOSYS;
  report[sandbox_part::system_calls] = sandbox_report::not_asked;
  const auto grants = grants_of(report);
  ASSERT_EQ(grants.size(), sandbox_parts);
  EXPECT_TRUE(grants.front().granted);
  EXPECT_EQ(grants.front().part, "user namespace");
  EXPECT_EQ(grants[9].part, "landlock");
  EXPECT_FALSE(grants[9].granted);
  EXPECT_NE(grants[9].refused, "");
  EXPECT_EQ(grants[10].refused, "the runner ended before");
}

}  // namespace
}  // namespace ridge::judge
