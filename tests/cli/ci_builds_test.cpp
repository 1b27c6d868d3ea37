// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
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

// Imports 12 runs like this one, of which the last is 30 % slower.
void import_runs_like(const scene& in, model::run run) {
  std::string files;
  for (int i = 0; i < 12; ++i) {
    run.id = fmt::format("01KA{:04}0000000000000000AA", i);
    const double factor = (1 + 0.002 * ((i * 7) % 5 - 2)) * (i == 11 ? 1.3 : 1);
    auto made = run;
    for (auto& m : made.families.front().measurements) {
      m.samples.clear();
      for (auto& e : m.metrics) {
        e.median *= factor;
        e.ci = {e.ci.lo * factor, e.ci.hi * factor};
      }
    }
    std::ofstream(in.folder() / fmt::format("{}.json", i)) << model::to_json(made);
    files += fmt::format(" {}.json", i);
  }
  const auto seen = in.ridge("import" + files);
  ASSERT_EQ(seen.code, 0) << seen.err;
}

TEST(gate_builds, a_suspect_that_both_builds_are_as_fast_at_is_not_confirmed) {
  if (sanitized) GTEST_SKIP() << "one call of a sanitized program takes minutes";
  const scene in;
  const std::string words = "ch01.coalescing --axis stride=2 --axis elements=2^12";
  ASSERT_EQ(
      in.ridge("run " + words + " --variant contiguous --profile minimal --no-store --save real.json").code,
      0);
  const auto real = model::run_from_json(contents(in.folder() / "real.json"));
  ASSERT_TRUE(real);
  import_runs_like(in, *real);
  const std::string gate = "gate ch01.coalescing --variant contiguous --baseline 01KA0010 ";
  EXPECT_EQ(in.ridge(gate + "--no-confirm").code, 1);
  const auto seen = in.ridge(gate + "--against " RIDGE_PROGRAM " --budget 20s --save again.json");
  EXPECT_TRUE(seen.code == 0 || seen.code == 3) << seen.code << seen.err << seen.out;
  EXPECT_THAT(seen.out, HasSubstr("measured again: "));
  EXPECT_TRUE(both_measured(in.folder() / "again.json")) << seen.err << seen.out;
}

}  // namespace
}  // namespace ridge::cli
