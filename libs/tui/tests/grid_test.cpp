// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <ridge/tui/grid.hpp>

namespace ridge::tui {
namespace {

TEST(grid, keeps_text_inside_its_columns_and_rows) {
  grid canvas(6, 2);
  EXPECT_EQ(canvas.write(2, 0, "abcdefgh"), 6U);
  EXPECT_EQ(canvas.write(0, 1, "xyz", {}, 2), 2U);
  EXPECT_EQ(canvas.write(0, 9, "outside"), 0U);
  EXPECT_EQ(canvas.text(), "  abcd\nxy\n");
}

TEST(grid, shows_control_characters_and_broken_bytes_instead_of_obeying_them) {
  grid canvas(60, 1);
  canvas.write(0, 0,
               "a\x1b[2Jb\x07\xff\xc2\x9b"
               "c\nd\te");
  EXPECT_EQ(canvas.text(), "a\\x1b[2Jb\\x07\\xff\\xc2\\x9bc d e\n");
}

TEST(grid, gives_a_wide_character_two_columns_or_none) {
  grid canvas(5, 1);
  EXPECT_EQ(canvas.write(0, 0, "日本語"), 4U);  // the third would stand half outside
  EXPECT_EQ(canvas.text(), "日本\n");
  EXPECT_EQ(canvas.at(0, 0).text, "日");
  EXPECT_EQ(canvas.at(1, 0).text, "");
}

TEST(grid, joins_combining_marks_to_the_cell_before_without_end) {
  grid canvas(4, 1);
  std::string marks = "e";
  for (int i = 0; i < 100; ++i) marks += "\u0301";
  EXPECT_EQ(canvas.write(0, 0, marks + "x"), 2U);
  EXPECT_EQ(canvas.at(1, 0).text, "x");
  EXPECT_LE(canvas.at(0, 0).text.size(), 32U);
}

TEST(styled_lines, reads_the_codes_of_paint_and_no_others) {
  const auto lines = styled_lines(report::paint("good", report::tone::good, true) + "\x1b[5mnot\nnext");
  ASSERT_EQ(lines.size(), 2U);
  ASSERT_EQ(lines[0].size(), 2U);
  EXPECT_EQ(lines[0][0].text, "good");
  EXPECT_EQ(lines[0][0].look.tone, report::tone::good);
  EXPECT_EQ(lines[0][1].look.tone, report::tone::plain);
  grid canvas(30, 1);
  canvas.write(0, 0, lines[0]);
  EXPECT_EQ(canvas.text(), "good\\x1b[5mnot\n");
}

TEST(fitted, cuts_at_characters_and_says_so) {
  EXPECT_EQ(fitted("warm", 4), "warm");
  EXPECT_EQ(fitted("wärmer", 4), "wär…");
  EXPECT_EQ(fitted("日本語", 4), "日…");
  EXPECT_EQ(fitted("abc", 0), "");
}

TEST(ascii, keeps_bars_dots_and_units_readable) {
  EXPECT_EQ(ascii_of("├──●──┤ 4 µs × 2"), "+--o--+ 4 us x 2");
  EXPECT_EQ(ascii_of("⠀⠁⣿"), " .#");
  EXPECT_EQ(ascii_of("日\xff"), "??");
}

}  // namespace
}  // namespace ridge::tui
