// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <ridge/judge/compile.hpp>

#include "judged.hpp"

namespace ridge::judge {
namespace {

using model::outcome;
using model::verdict;
using testing::AnyOf;
using testing::Ge;
using testing::HasSubstr;
using testing::Ne;

testing::AssertionResult neither_better_nor_worse(const judgement& made) {
  if (!made.refused.empty()) return testing::AssertionFailure() << "refused: " << made.refused;
  if (made.verdict == verdict::better || made.verdict == verdict::worse || made.verdict == verdict::invalid)
    return testing::AssertionFailure()
           << name(made.verdict) << " by " << made.session->results.front().estimate.ratio;
  return testing::AssertionSuccess();
}

testing::AssertionResult is_no_gain(const judgement& made) {
  if (made.verdict == verdict::better)
    return testing::AssertionFailure() << "BETTER by " << made.session->results.front().estimate.ratio;
  return testing::AssertionSuccess();
}

TEST(judging, a_faster_candidate_is_better_and_every_check_holds) {
  const auto made = judged(candidate_named("honest_fused"), {.budget_s = 1});
  ASSERT_EQ(made.refused, "");
  EXPECT_EQ(made.verdict, verdict::better);
  EXPECT_GT(made.session->results.front().estimate.ratio, 1.2);
  EXPECT_GE(made.assurance, 1);
  for (const auto& one : made.checks) EXPECT_NE(one.result, outcome::fail) << one.id << ": " << one.evidence;
  EXPECT_EQ(outcome_of_check(made, "timed_results"), outcome::pass);
  EXPECT_EQ(outcome_of_check(made, "suspended"), outcome::pass);
}

TEST(judging, a_slower_variant_is_worse) {
  const auto made = judged(own_variant{"twice"}, {.budget_s = 1});
  ASSERT_EQ(made.refused, "");
  EXPECT_EQ(made.verdict, verdict::worse);
}

// One in twenty intervals at 95 % lies beside the truth: one judgement of four may.
testing::AssertionResult at_most_one_of_four_is_told_apart(const contender& candidate,
                                                           const judge_options& options) {
  int told_apart = 0;
  std::string seen;
  for (int run = 0; run < 4; ++run) {
    const auto made = judged(candidate, options);
    if (!made.refused.empty() || made.verdict == verdict::invalid) return neither_better_nor_worse(made);
    const auto one = neither_better_nor_worse(made);
    told_apart += one ? 0 : 1;
    seen += std::string(one.message()) + " ";
  }
  if (told_apart > 1) return testing::AssertionFailure() << seen;
  return testing::AssertionSuccess();
}

TEST(judging, the_baselines_own_body_is_neither_better_nor_worse) {
  EXPECT_TRUE(at_most_one_of_four_is_told_apart(own_variant{"again"}, {.budget_s = 0.3, .edges = false}));
}

TEST(judging, the_same_source_as_a_candidate_is_neither_better_nor_worse) {
  EXPECT_TRUE(at_most_one_of_four_is_told_apart(candidate_named("honest_same"), {.budget_s = 0.3}));
}

TEST(judging, what_was_remembered_fits_no_data) {
  for (const char* name : {"remembers_by_content", "skips_repeated_data"}) {
    const auto made = judged(candidate_named(name));
    EXPECT_EQ(made.refused, "") << name;
    EXPECT_TRUE(is_no_gain(made)) << name;
  }
}

TEST(judging, clocks_of_the_candidates_process_have_no_effect) {
  const auto made = judged(candidate_named("patches_clocks"));
  EXPECT_EQ(made.refused, "");
  EXPECT_TRUE(is_no_gain(made));
}

TEST(judging, a_sample_lasts_until_the_candidate_is_stopped_not_until_it_says_so) {
  EXPECT_TRUE(is_no_gain(judged(candidate_named("answers_early"), {.budget_s = 0.25, .time_limit_s = 1})));
}

TEST(judging, descriptors_and_output_of_a_candidate_are_nobodys) {
  testing::internal::CaptureStdout();
  for (const char* name : {"closes_descriptors", "prints_a_verdict"}) {
    const auto made = judged(candidate_named(name));
    EXPECT_EQ(made.refused, "") << name;
    EXPECT_TRUE(is_no_gain(made)) << name;
  }
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST(judging, pages_of_the_other_arm_stay_where_they_are) {
  EXPECT_EQ(judged(candidate_named("takes_pages")).refused, "");
}

TEST(judging, arrays_changed_in_place_are_restored_for_every_call) {
  auto made = judge(candidate_named("doubles_in_place"), chain::make_in_place(), judged_size(), "doubling",
                    instruments_of_tests(), {.budget_s = 0.25, .seed = 1});
  ASSERT_TRUE(made) << made.why().text();
  EXPECT_EQ(made->refused, "");
  EXPECT_NE(made->verdict, verdict::invalid);
}

TEST(judging, a_source_is_compiled_and_judged) {
  auto compiled = compile(std::string(RIDGE_CANDIDATE_SOURCES) + "/honest_fused.cpp", {});
  ASSERT_TRUE(compiled) << compiled.why().text();
  const auto made = judged(shared_object{compiled->path()}, {.budget_s = 0.5});
  EXPECT_EQ(made.refused, "");
  EXPECT_EQ(made.verdict, verdict::better);
}

TEST(judging, a_source_that_does_not_compile_says_why) {
  const auto source = std::filesystem::path(testing::TempDir()) / "ridge_judge_wrong.cpp";
  std::ofstream(source) << "int ridge_candidate( {";
  const auto compiled = compile(source, {});
  ASSERT_FALSE(compiled);
  EXPECT_THAT(compiled.why().text(), HasSubstr("error:"));
  std::filesystem::remove(source);
}

TEST(judging, what_no_candidate_can_be_judged_on_is_an_error) {
  const auto made = judge(own_variant{"again"}, chain::make(), judged_size(), "staged",
                          instruments_of_tests(), {.budget_s = 0.1});
  ASSERT_FALSE(made);
  EXPECT_THAT(made.why().text(), HasSubstr("converts its inputs"));
  EXPECT_FALSE(
      judge(own_variant{"none"}, chain::make(), judged_size(), "passes", instruments_of_tests(), {}));
}

}  // namespace
}  // namespace ridge::judge
