// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/base/sanitized.hpp>

#include "program.hpp"
#include "two_builds.hpp"

namespace ridge::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

// A minute: every call of either build verifies the variant before it measures it.
TEST(ci_builds, measures_variants_of_experiments_with_both) {
  if (sanitized) GTEST_SKIP() << "one call of a sanitized program takes minutes";
  const scene in;
  std::filesystem::create_directory(in.folder() / "repo");
  write_program(in.folder() / "repo/mine", "exec " RIDGE_PROGRAM " \"$@\"");
  const auto line = "cd " + (in.folder() / "repo").string() +
                    " && git init -q -b main . && git config user.email a@b && git config user.name n && "
                    "git add . && git commit -qm one && git checkout -qb change && touch other && git add . "
                    "&& git commit -qm two";
  ASSERT_EQ(std::system(line.c_str()), 0);
  const auto seen =
      in.ridge("ci --program mine ch01.graph_launch:inlined --budget 60s --fail-on never --save run.json",
               "GITHUB_ACTIONS= GITLAB_CI= /bin/sh -c 'cd repo && exec \"$0\" \"$@\"'");
  EXPECT_EQ(seen.code, 0) << seen.err << seen.out;
  EXPECT_THAT(seen.out, Not(HasSubstr("**failed**")));
  EXPECT_TRUE(both_measured(in.folder() / "repo/run.json")) << seen.err << seen.out;
}

}  // namespace
}  // namespace ridge::cli
