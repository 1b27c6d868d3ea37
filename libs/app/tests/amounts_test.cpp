// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <ridge/app/amounts.hpp>

#include "ceilings/ceilings_cache.hpp"
#include "command_line/program_lines.hpp"
#include "session/fail_on.hpp"

namespace ridge::app {
namespace {

TEST(parse_seconds, knows_units_and_refuses_the_rest) {
  EXPECT_DOUBLE_EQ(*parse_seconds("60s"), 60);
  EXPECT_DOUBLE_EQ(*parse_seconds("1.5"), 1.5);
  EXPECT_DOUBLE_EQ(*parse_seconds("500ms"), 0.5);
  EXPECT_DOUBLE_EQ(*parse_seconds("2min"), 120);
  for (const auto* wrong : {"", "s", "-1s", "0", "5 s", "5parsec", "inf", "nan"})
    EXPECT_FALSE(parse_seconds(wrong)) << wrong;
}

TEST(parse_share, takes_percent_and_plain_numbers) {
  EXPECT_DOUBLE_EQ(*parse_share("1%"), 0.01);
  EXPECT_DOUBLE_EQ(*parse_share("0.05"), 0.05);
  for (const auto* wrong : {"", "0", "100%", "1", "-1%", "1 %"}) EXPECT_FALSE(parse_share(wrong)) << wrong;
}

TEST(seconds_of_utc, reads_what_runs_carry) {
  EXPECT_DOUBLE_EQ(*seconds_of_utc("2026-11-21T12:00:00Z"), 1795262400);
  EXPECT_FALSE(seconds_of_utc("2026-11-21"));
}

model::run run_with(model::verdict verdict, const std::string& refused = "") {
  model::run made;
  made.families.emplace_back();
  made.families.front().comparisons.push_back({.verdict = verdict});
  made.families.front().measurements.push_back({.refused = refused});
  return made;
}

TEST(exit_code_of, follows_the_rules_with_two_over_one_over_three) {
  using enum model::verdict;
  EXPECT_EQ(exit_code_of(run_with(worse), {}), 0);
  EXPECT_EQ(exit_code_of(run_with(inconclusive), {}), 0);
  EXPECT_EQ(exit_code_of(run_with(worse), {.worse = true}), 1);
  EXPECT_EQ(exit_code_of(run_with(inconclusive), {.inconclusive = true}), 3);
  EXPECT_EQ(exit_code_of(run_with(invalid), {.worse = true}), 2);
  EXPECT_EQ(exit_code_of(run_with(better, "element 7"), {.worse = true}), 2);
}

TEST(parse_fail_on, suggests_the_nearest_verdict) {
  EXPECT_TRUE(parse_fail_on("slower,invalid")->worse);
  EXPECT_NE(parse_fail_on("inconclusiv").why().text().find("inconclusive"), std::string::npos);
}

TEST(cut_program_lines, takes_programs_from_bench_alone) {
  std::vector<std::string> typed{"ridge", "bench", "--seed", "3", "--", "a", "--x", "--", "b"};
  const auto programs = cut_program_lines(typed);
  EXPECT_EQ(typed, (std::vector<std::string>{"ridge", "bench", "--seed", "3"}));
  EXPECT_EQ(programs, (std::vector<std::vector<std::string>>{{"a", "--x"}, {"b"}}));
  std::vector<std::string> other{"ridge", "list", "--", "ch01"};
  EXPECT_TRUE(cut_program_lines(other).empty());
  EXPECT_EQ(other.size(), 4u);
}

}  // namespace
}  // namespace ridge::app
