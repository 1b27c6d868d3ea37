// SPDX-License-Identifier: Apache-2.0
#include <ridge/base/text.hpp>

#include <gtest/gtest.h>

namespace ridge {
namespace {

TEST(glob, stars_and_question_marks_match_what_they_should) {
  EXPECT_TRUE(glob_matches("ch01.*", "ch01.coalescing"));
  EXPECT_TRUE(glob_matches("*gemm*", "ch01.batched_gemm"));
  EXPECT_TRUE(glob_matches("ch0?.x", "ch07.x"));
  EXPECT_FALSE(glob_matches("ch0?.x", "ch10.x"));
  EXPECT_FALSE(glob_matches("ch01", "ch01.x"));
  EXPECT_TRUE(glob_matches("*a*b", "xxaxxbab"));
}

TEST(lower_case, changes_ascii_letters_only) {
  EXPECT_EQ(lower_case("H100 SXM_Ä"), "h100 sxm_Ä");
  EXPECT_EQ(lower_case('Z'), 'z');
  EXPECT_EQ(lower_case('['), '[');
}

TEST(contains_ignoring_case, compares_letters_without_case) {
  EXPECT_TRUE(contains_ignoring_case("ncclDevKernel_AllReduce", "allreduce"));
  EXPECT_TRUE(contains_ignoring_case("", ""));
  EXPECT_FALSE(contains_ignoring_case("all", "allreduce"));
}

TEST(nearest, suggests_the_meant_name_and_nothing_when_far) {
  const std::vector<std::string> names{"ch01.coalescing", "ch01.batched_gemm", "ch07.coalescing"};
  EXPECT_EQ(nearest_name("ch01.coalesing", names), "ch01.coalescing");
  EXPECT_EQ(nearest_name("ch01.batch", names), "ch01.batched_gemm");
  EXPECT_FALSE(nearest_name("zzzz", names));
}

TEST(nearest, of_several_names_come_in_order_and_none_that_is_much_farther) {
  const std::vector<std::string> names{"ch07.copies", "ch01.copy", "ch01.gemm", "ch07.copy"};
  EXPECT_EQ(nearest_names("ch01.coppy", names, 3), (std::vector<std::string>{"ch01.copy", "ch07.copy"}));
  EXPECT_EQ(nearest_names("ch01.coppy", names, 1), std::vector<std::string>{"ch01.copy"});
  EXPECT_TRUE(nearest_names("zzzz", names, 3).empty());
}

TEST(width, counts_columns_not_bytes) {
  EXPECT_EQ(display_width("1.78×"), 5u);
  EXPECT_EQ(display_width("µs"), 2u);
  EXPECT_EQ(display_width("日本"), 4u);
  EXPECT_EQ(pad_left("×", 3), "  ×");
}

TEST(wrap, breaks_at_spaces_and_indents) { EXPECT_EQ(wrap("aa bb cc", 5, 2), "aa bb\n  cc"); }

}  // namespace
}  // namespace ridge
