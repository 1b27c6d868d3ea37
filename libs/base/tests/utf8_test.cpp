// SPDX-License-Identifier: Apache-2.0
#include <ridge/base/utf8.hpp>

#include <gtest/gtest.h>

namespace ridge {
namespace {

TEST(utf8, well_formed_texts_are_unchanged) {
  for (const std::string text : {"", "plain", "\u00e9\u20ac\U0001f600", "\ud7ff\ue000\U0010ffff"})
    EXPECT_EQ(well_formed_utf8(text), text);
}

TEST(utf8, every_byte_of_a_broken_sequence_is_replaced) {
  EXPECT_EQ(well_formed_utf8("a\xE2\x82"), "a\uFFFD\uFFFD") << "cut within a character";
  EXPECT_EQ(well_formed_utf8("\x80x"), "\uFFFDx");
  EXPECT_EQ(well_formed_utf8("\xC0\xAF"), "\uFFFD\uFFFD") << "an overlong form of a slash";
  EXPECT_EQ(well_formed_utf8("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD") << "half a surrogate pair";
  EXPECT_EQ(well_formed_utf8("\xF4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD") << "beyond the last character";
}

}  // namespace
}  // namespace ridge
