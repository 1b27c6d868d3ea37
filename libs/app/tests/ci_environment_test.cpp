// SPDX-License-Identifier: Apache-2.0
#include "ci/ci_environment.hpp"

#include <map>

#include <gtest/gtest.h>

#include "ci/ci_report.hpp"

namespace ridge::app {
namespace {

ci_environment with(const std::map<std::string, std::string>& variables) {
  return ci_environment_of([&](const std::string& name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::string() : found->second;
  });
}

TEST(ci_environment, a_pull_request_has_the_base_that_its_system_names) {
  const auto github =
      with({{"GITHUB_ACTIONS", "true"}, {"GITHUB_BASE_REF", "main"}, {"GITHUB_STEP_SUMMARY", "/s"}});
  EXPECT_EQ(github.bases.front(), "origin/main");
  EXPECT_EQ(github.summary_file, "/s");
  const auto gitlab = with({{"GITLAB_CI", "true"},
                            {"CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main"},
                            {"CI_MERGE_REQUEST_DIFF_BASE_SHA", "abc"},
                            {"CI_COMMIT_BEFORE_SHA", "0000000000000000000000000000000000000000"}});
  EXPECT_EQ(gitlab.bases, (std::vector<std::string>{"abc", "origin/main", "main"}));
}

TEST(ci_environment, a_push_is_compared_with_the_commit_before) {
  EXPECT_EQ(with({{"GITHUB_ACTIONS", "true"}}).bases, std::vector<std::string>{"HEAD^"});
  EXPECT_EQ(with({{"GITLAB_CI", "true"}, {"CI_COMMIT_BEFORE_SHA", "000000"}}).bases,
            std::vector<std::string>{"HEAD^"});
  EXPECT_EQ(with({{"GITLAB_CI", "true"}, {"CI_COMMIT_BEFORE_SHA", "12ab"}}).bases,
            std::vector<std::string>{"12ab"});
  EXPECT_EQ(with({}).bases.front(), "origin/HEAD");
}

ci_benchmark judged_as(std::string name, model::verdict verdict) {
  model::family family;
  family.comparisons.push_back({.ratio = 0.9, .ci = {0.89, 0.91}, .verdict = verdict});
  return {.name = std::move(name), .measured = {family}};
}

TEST(ci_report, rules_decide_what_fails_and_texts_are_escaped) {
  ci_outcome outcome{.base = "0123456789ab", .head = "abcdef012345", .base_name = "main"};
  outcome.benchmarks = {judged_as("a | b < \"c\"", model::verdict::worse),
                        judged_as("d", model::verdict::inconclusive),
                        {.name = "e", .left_out = "no room"}};
  const auto junit = ci_junit(outcome, {.worse = true});
  EXPECT_NE(junit.find("tests=\"3\" failures=\"1\" skipped=\"1\""), std::string::npos) << junit;
  EXPECT_NE(junit.find("name=\"a | b &lt; &quot;c&quot;\""), std::string::npos) << junit;
  EXPECT_NE(ci_junit(outcome, {.worse = true, .inconclusive = true}).find("failures=\"2\""),
            std::string::npos);
  const auto text = ci_markdown(outcome);
  EXPECT_EQ(text.find("<!-- ridge ci -->"), 0u);
  EXPECT_NE(text.find("| `a \\| b < \"c\"` |"), std::string::npos) << text;
  EXPECT_NE(text.find("- `e`: no room"), std::string::npos);
  outcome.base_name = "a_b_c";
  outcome.benchmarks = {
      {.name = "echo `date` | cat", .left_out = "<b> \"x\" failed: |*|\n# a", .failed = true}};
  const auto hostile = ci_markdown(outcome);
  EXPECT_NE(hostile.find("| `` echo `date` \\| cat `` | | | | **failed** |"), std::string::npos) << hostile;
  EXPECT_NE(hostile.find("- `` echo `date` | cat ``: \\<b> \"x\" failed: \\|\\*\\| # a\n"), std::string::npos)
      << hostile;
  EXPECT_NE(hostile.find("(base, a\\_b\\_c)"), std::string::npos) << hostile;
  EXPECT_NE(ci_junit(outcome, {}).find("&lt;b&gt; &quot;x&quot;"), std::string::npos);
}

}  // namespace
}  // namespace ridge::app
