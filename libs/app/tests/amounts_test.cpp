// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <ridge/app/amounts.hpp>
#include <ridge/app/exit_code.hpp>

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

model::run with_failed_harness() {
  model::run made;
  made.families.push_back(
      {.checks = {{.id = "harness", .result = model::outcome::fail, .evidence = "was killed"}},
       .skipped = "was killed"});
  return made;
}

TEST(exit_code_of, a_family_that_failed_as_a_whole_is_refused) {
  EXPECT_EQ(failure_of(with_failed_harness().families.front()), "was killed");
  EXPECT_EQ(exit_code_of(with_failed_harness(), {}), exit_code::refused);
  EXPECT_EQ(exit_code_of_gate(with_failed_harness()), exit_code::refused);
}

TEST(exit_code_of, a_family_for_which_memory_does_not_suffice_is_unavailable) {
  auto run = with_failed_harness();
  auto& whole = run.families.front().checks.front();
  whole = {.id = "capacity", .result = model::outcome::skipped, .evidence = whole.evidence};
  EXPECT_EQ(failure_of(run.families.front()), "was killed");
  EXPECT_EQ(exit_code_of(run, {}), exit_code::unavailable);
}

TEST(exit_code_of_gate, needs_a_verdict) {
  EXPECT_EQ(exit_code_of_gate(run_with(model::verdict::better)), exit_code::good);
  EXPECT_EQ(exit_code_of_gate(run_with(model::verdict::worse)), exit_code::worse);
  auto run = run_with(model::verdict::better);
  run.families.front().comparisons.front().judged = false;
  EXPECT_EQ(exit_code_of_gate(run), exit_code::unavailable);
  EXPECT_EQ(exit_code_of_gate({}), exit_code::unavailable);
}

// A share above a disturbed ceiling is a warning on a comparison whose verdict stands.
TEST(exit_code_of, a_doubtful_ceiling_does_not_fail_a_run) {
  auto run = run_with(model::verdict::better);
  run.families.front().comparisons.front().checks = {
      {.id = "ceilings", .result = model::outcome::warn, .value = 1.35}};
  EXPECT_EQ(exit_code_of(run, {}), 0);
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

TEST(told_apart, a_figure_that_misses_its_limit_never_reads_as_the_limit) {
  EXPECT_EQ(told_apart(2.0012, 2), (std::pair<std::string, std::string>{"2.001", "2"}));
  EXPECT_EQ(told_apart(2.4, 2), (std::pair<std::string, std::string>{"2.4", "2"}));
  EXPECT_EQ(told_apart(2, 2), (std::pair<std::string, std::string>{"2", "2"}));
  const auto [value, limit] = told_apart(0.1 + 0.2, 0.3);
  EXPECT_NE(value, limit);
}

}  // namespace
}  // namespace ridge::app
