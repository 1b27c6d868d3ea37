// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string_view>

#include "judged.hpp"

namespace ridge::judge {
namespace {

using testing::HasSubstr;

struct refusal_case {
  const char* candidate;
  const char* reason;  // a part of it
};

// Little memory, so that filling it is quick; a short limit for what never ends alone.
judge_options options_for(std::string_view candidate) {
  judge_options made{.budget_s = 0.25, .memory_limit = 64U << 20};
  if (candidate == "hangs") made.time_limit_s = 1.5;
  return made;
}

class refusals : public testing::TestWithParam<refusal_case> {};

TEST_P(refusals, end_the_judgement_with_their_reason) {
  const auto& [name, reason] = GetParam();
  const auto made = judged(candidate_named(name), options_for(name));
  EXPECT_THAT(made.refused, HasSubstr(reason)) << name;
  EXPECT_EQ(made.verdict, model::verdict::invalid);
  EXPECT_EQ(made.assurance, 0);
  EXPECT_FALSE(made.session);
  EXPECT_FALSE(made.sandbox.empty());
  EXPECT_EQ(outcome_of_check(made, "verified"), model::outcome::fail);
}

INSTANTIATE_TEST_SUITE_P(
    candidates, refusals,
    testing::Values(
        refusal_case{"wrong_results", "elements are wrong"},
        refusal_case{"wrong_rarely", "its results are wrong"}, refusal_case{"stale_results", "wrong"},
        refusal_case{"wrong_at_edges", "at elements="}, refusal_case{"writes_inputs", "SIGSEGV"},
        refusal_case{"writes_outside", "bytes after the end"}, refusal_case{"crashes", "SIGSEGV"},
        refusal_case{"hangs", "did not answer within 1.5 s"}, refusal_case{"exits", "exited with status 0"},
        refusal_case{"throws", "exception: of mine"}, refusal_case{"forks", "the system call clone"},
        refusal_case{"hogs_memory", "SIGSEGV"}, refusal_case{"fills_the_disk", "returned 3"},
        refusal_case{"starts_programs", "the system call execve"},
        refusal_case{"has_no_function", "no function ridge_candidate"},
        refusal_case{"has_another_version", "version 99"}),
    [](const auto& tested) { return std::string(tested.param.candidate); });

TEST(refusal, of_a_file_that_is_no_shared_object_says_so) {
  const auto path = std::filesystem::path(testing::TempDir()) / "ridge_judge_text.so";
  std::ofstream(path) << "text";
  EXPECT_THAT(judged(shared_object{path}).refused, HasSubstr("cannot be loaded"));
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace ridge::judge
