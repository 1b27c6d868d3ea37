// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/cpu_list.hpp>

#include <gtest/gtest.h>

namespace ridge::host {
namespace {

TEST(cpu_list, ranges_and_singles_come_sorted_and_once) {
  EXPECT_EQ(*parse_cpu_list("8,0-3,2,10-11\n"), (std::vector{0, 1, 2, 3, 8, 10, 11}));
  EXPECT_EQ(*parse_cpu_list("5"), std::vector{5});
  EXPECT_TRUE(parse_cpu_list("")->empty());
}

TEST(cpu_list, what_is_not_a_list_is_an_error_that_shows_it) {
  for (const auto* text : {"a", "1-", "-1", "3-1", "1,,2", "1 2", "0-99999999", "1-2-3", "0x1"}) {
    const auto got = parse_cpu_list(text);
    ASSERT_FALSE(got.ok()) << text;
    EXPECT_NE(got.why().message.find(text), std::string::npos);
  }
}

TEST(cpu_list, formatting_undoes_parsing) {
  for (const auto* text : {"", "0", "0-3", "0-3,8,10-11", "1,3,5"})
    EXPECT_EQ(format_cpu_list(*parse_cpu_list(text)), text);
}

}  // namespace
}  // namespace ridge::host
