// SPDX-License-Identifier: Apache-2.0
#include "child/in_child.hpp"

#include <unistd.h>

#include <csignal>
#include <stdexcept>

#include <gtest/gtest.h>

namespace ridge::harness {
namespace {

using numbers = std::vector<double>;

TEST(in_child, an_answer_crosses) {
  const auto got = in_child<numbers>([] { return numbers{1, 0.1}; }, 10);
  ASSERT_TRUE(got);
  EXPECT_EQ(*got.value, (numbers{1, 0.1}));
}

TEST(in_child, an_exception_is_told_with_its_lines) {
  const auto got = in_child<numbers>([]() -> numbers { throw std::runtime_error("one\ntwo"); }, 10);
  ASSERT_FALSE(got);
  EXPECT_EQ(got.why, "one\ntwo");
}

TEST(in_child, a_silent_end_is_told) {
  const auto crashed = in_child<numbers>(
      []() -> numbers {
        raise(SIGSEGV);
        return {};
      },
      10);
  EXPECT_EQ(crashed.why, "was killed by SIGSEGV (an access outside its arrays)");
  const auto left = in_child<numbers>([]() -> numbers { _exit(0); }, 10);
  EXPECT_EQ(left.why, "ended the process it ran in");
  const auto hung = in_child<numbers>(
      []() -> numbers {
        while (true) pause();
      },
      0.1);
  EXPECT_TRUE(hung.timed_out);
  EXPECT_EQ(hung.why, "did not end within 0 s");
}

}  // namespace
}  // namespace ridge::harness
