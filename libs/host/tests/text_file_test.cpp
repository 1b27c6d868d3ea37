// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/text_file.hpp>

#include <gtest/gtest.h>

namespace ridge::host {
namespace {

TEST(read_text, a_file_that_opens_but_refuses_to_be_read_is_no_text) {
  EXPECT_FALSE(read_text("/proc"));
  EXPECT_FALSE(read_text("/proc/no such file"));
  EXPECT_EQ(read_text("/dev/null"), "");
}

TEST(to_bytes, suffixes_as_the_kernel_writes_them) {
  EXPECT_EQ(to_bytes("4096"), std::optional<std::size_t>(4096));
  EXPECT_EQ(to_bytes(" 24 kB"), std::optional<std::size_t>(24 * 1024));
  EXPECT_EQ(to_bytes("480M"), std::optional<std::size_t>(480u << 20));
  EXPECT_EQ(to_bytes("1G"), std::optional<std::size_t>(1u << 30));
  for (const auto* text : {"", "kB", "-5 kB", "12 q", "x12"}) EXPECT_FALSE(to_bytes(text)) << text;
}

TEST(to_number, whole_numbers_and_nothing_else) {
  EXPECT_EQ(to_number(" -12\n"), std::optional(-12ll));
  for (const auto* text : {"", "1.5", "7 8", "0x10", "99999999999999999999"})
    EXPECT_FALSE(to_number(text)) << text;
}

TEST(value_after, finds_the_whole_key_only) {
  EXPECT_EQ(value_after("model name : Xeon: 1\nmodel : 7\n", "model"), "7");
  EXPECT_EQ(value_after("model name : Xeon: 1\n", "model name"), "Xeon: 1");
  EXPECT_EQ(value_after("models : 3", "model"), "");
}

}  // namespace
}  // namespace ridge::host
