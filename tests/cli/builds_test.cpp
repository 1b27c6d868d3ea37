// SPDX-License-Identifier: Apache-2.0
// Experiments measured by two builds of the program.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/base/sanitized.hpp>

#include "program.hpp"
#include "two_builds.hpp"

namespace ridge::cli {
namespace {

using testing::HasSubstr;

constexpr const char* small = " --axis stride=2 --axis elements=2^12 ";

TEST(builds, compare_measures_a_variant_with_both) {
  if (sanitized) GTEST_SKIP() << "one call of a sanitized program takes minutes";
  const scene in;
  const auto seen = in.ridge(std::string("compare ch01.coalescing:contiguous --against ") + RIDGE_PROGRAM +
                             small + "--budget 30s --save run.json");
  EXPECT_TRUE(seen.code == 0 || seen.code == 1) << seen.code << ": " << seen.err << seen.out;
  EXPECT_TRUE(both_measured(in.folder() / "run.json")) << seen.err << seen.out;
}

TEST(builds, compare_says_why_a_build_measured_nothing) {
  const scene in;
  write_program(in.folder() / "hasty", "exec " RIDGE_PROGRAM " \"$@\" --budget 1ms");
  write_program(in.folder() / "broken", "echo 'ridge: this build is not optimized: beware' >&2; exit 7");
  const std::string words = std::string("compare ch01.coalescing:contiguous") + small + "--against ";
  const auto seen = in.ridge(words + "./hasty");
  EXPECT_EQ(seen.code, 69) << seen.out;
  EXPECT_THAT(seen.err, HasSubstr("hasty did not measure contiguous: the budget of 0.001 s was used up"));
  const auto broken = in.ridge(words + "./broken");
  EXPECT_EQ(broken.code, 69) << broken.out;
  EXPECT_THAT(broken.err, HasSubstr("broken did not measure contiguous: exited with status 7;"));
}

}  // namespace
}  // namespace ridge::cli
