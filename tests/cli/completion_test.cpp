// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "program.hpp"

namespace ridge::cli {
namespace {

// The tests are named by shell, so that the report says which one was skipped.
class completion : public testing::TestWithParam<std::string> {};

TEST_P(completion, is_read_by_its_shell_without_complaint) {
  const scene s;
  const auto& shell = GetParam();
  if (s.ridge("list --ids >/dev/null; command -v " + shell).out.empty())
    GTEST_SKIP() << shell << " is not installed";
  const auto read = s.ridge("completion " + shell + " | " + shell + " -n /dev/stdin");
  EXPECT_EQ(read.code, 0) << read.err;
  EXPECT_EQ(read.err, "");
}

INSTANTIATE_TEST_SUITE_P(of, completion, testing::Values("bash", "zsh", "fish"),
                         [](const auto& shell) { return shell.param; });

}  // namespace
}  // namespace ridge::cli
