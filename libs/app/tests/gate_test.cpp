// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/app/exit_code.hpp>

#include "gate/gate_report.hpp"
#include "gate/gate_rerun.hpp"

namespace ridge::app {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

gate_finding slower(gate_outcome outcome) {
  return {.workload = {.machine = "m", .experiment = "ch01.copy", .problem = "n=64"},
          .series = {.id = 3, .variant = "fast"},
          .outcome = outcome,
          .run = "01ABCDEFGH",
          .level = 1e-3,
          .value = 1.1e-3,
          .ratio = 1 / 1.1,
          .direction = changes::direction::worse,
          .q = 0.001};
}

gate_finding faster(gate_outcome outcome) {
  auto made = slower(outcome);
  made.ratio = 1.1;
  made.direction = changes::direction::better;
  return made;
}

int code_of(const gate_finding& one, const gate_rules& rules = {}) {
  return exit_code_of(rules, std::span(&one, 1));
}

TEST(commit_of_build, reads_the_commit_and_whether_files_differed) {
  EXPECT_EQ(commit_of_build("ridge 0.1.0 (cebb7d8+)").id, "cebb7d8");
  EXPECT_TRUE(commit_of_build("ridge 0.1.0 (cebb7d8+)").changed);
  EXPECT_FALSE(commit_of_build("ridge 0.1.0 (cebb7d8)").changed);
  for (const auto* none : {"", "ridge 0.1.0", "ridge 0.1.0 (no commit)", "ridge (", ")("})
    EXPECT_EQ(commit_of_build(none).id, "") << none;
}

TEST(gate, fails_by_direction_and_outcome) {
  using enum gate_outcome;
  const gate_rules any{.slower = true, .faster = true}, never{.slower = false};
  for (const auto outcome : {suspected, confirmed}) {
    EXPECT_EQ(code_of(slower(outcome)), exit_code::worse);
    EXPECT_EQ(code_of(slower(outcome), never), exit_code::good);
    EXPECT_EQ(code_of(faster(outcome)), exit_code::good) << "slower is what fails by default";
    EXPECT_EQ(code_of(faster(outcome), any), exit_code::worse);
  }
  for (const auto outcome : {steady, cleared, accepted})
    EXPECT_EQ(code_of(slower(outcome), any), exit_code::good);
  EXPECT_EQ(code_of(slower(inconclusive)), exit_code::inconclusive);
  EXPECT_EQ(code_of(faster(inconclusive)), exit_code::good);
  EXPECT_EQ(code_of(slower(unknown)), exit_code::unavailable);
}

TEST(gate, one_failure_outweighs_what_is_inconclusive_or_unknown) {
  using enum gate_outcome;
  const std::vector<gate_finding> all{slower(unknown), slower(inconclusive), slower(confirmed)};
  EXPECT_EQ(exit_code_of(gate_rules{}, all), exit_code::worse);
  const std::vector<gate_finding> two{slower(unknown), slower(steady)};
  EXPECT_EQ(exit_code_of(gate_rules{}, two), exit_code::good);
  EXPECT_EQ(exit_code_of(gate_rules{}, std::span<const gate_finding>{}), exit_code::unavailable);
}

TEST(judge_again, takes_the_direction_of_the_suspicion) {
  using enum model::verdict;
  const auto after = [](gate_finding suspect, model::verdict verdict) {
    judge_again(suspect, {.ratio = 0.9, .verdict = verdict});
    return suspect.outcome;
  };
  EXPECT_EQ(after(slower(gate_outcome::suspected), worse), gate_outcome::confirmed);
  EXPECT_EQ(after(slower(gate_outcome::suspected), better), gate_outcome::cleared);
  EXPECT_EQ(after(faster(gate_outcome::suspected), better), gate_outcome::confirmed);
  EXPECT_EQ(after(slower(gate_outcome::suspected), equivalent), gate_outcome::cleared);
  EXPECT_EQ(after(slower(gate_outcome::suspected), different_but_small), gate_outcome::cleared);
  EXPECT_EQ(after(slower(gate_outcome::suspected), inconclusive), gate_outcome::inconclusive);
  EXPECT_EQ(after(slower(gate_outcome::suspected), invalid), gate_outcome::inconclusive);
}

TEST(gate_junit, has_a_case_for_every_series) {
  using enum gate_outcome;
  auto unseen = slower(unknown);
  unseen.why = "not measured since the baseline";
  const std::vector<gate_finding> all{slower(confirmed), faster(suspected), unseen};
  const auto text = gate_junit(all, {});
  EXPECT_THAT(text, HasSubstr("tests=\"3\" failures=\"1\" skipped=\"1\""));
  EXPECT_THAT(text, HasSubstr("name=\"ch01.copy n=64 fast on m\""));
  EXPECT_THAT(text, HasSubstr("worse, 1.00 ms -&gt; 1.10 ms (0.909×, q 0.001), confirmed"));
  EXPECT_THAT(text, HasSubstr("<skipped message=\"not measured since the baseline\"/>"));
}

TEST(gate_annotations, are_one_escaped_line_each) {
  using enum gate_outcome;
  auto odd = slower(suspected);
  odd.workload.problem = "a=1, b: 100%";
  odd.why = "two\nlines";
  const std::vector<gate_finding> all{odd, faster(suspected), slower(inconclusive), slower(steady)};
  const auto text = gate_annotations(all, {});
  EXPECT_THAT(text,
              StartsWith("::error title=Ridge%3A ch01.copy a=1%2C b%3A 100%25 fast::worse, 1.00 ms -> "));
  EXPECT_THAT(text, HasSubstr("; two%0Alines\n::notice title="));
  EXPECT_THAT(text, HasSubstr("\n::warning title="));
  EXPECT_EQ(std::ranges::count(text, '\n'), 3) << "what is steady has none";
}

TEST(gate_text, counts_what_did_not_change) {
  using enum gate_outcome;
  const std::vector<gate_finding> all{slower(confirmed), slower(steady), slower(steady)};
  const auto text = gate_text(all, "commit 123456789", {});
  EXPECT_THAT(text, HasSubstr("ch01.copy n=64 fast"));
  EXPECT_THAT(text, HasSubstr("the newest runs against commit 123456789: 2 steady, 1 confirmed"));
  EXPECT_THAT(gate_markdown(all, ""), HasSubstr("each series against its own history"));
}

TEST(gate_json, leaves_unknown_numbers_null) {
  gate_finding unseen{.outcome = gate_outcome::unknown, .why = "no run of the baseline"};
  const auto text = gate_json(std::span(&unseen, 1), "", {});
  EXPECT_THAT(text, HasSubstr(R"("schema":"ridge.gate/1")"));
  EXPECT_THAT(text, HasSubstr(R"("before":null,"after":null,"ratio":null)"));
  EXPECT_THAT(text, HasSubstr(R"("q":null)"));
  EXPECT_THAT(text, Not(HasSubstr("nan")));
}

}  // namespace
}  // namespace ridge::app
