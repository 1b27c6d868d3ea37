// SPDX-License-Identifier: Apache-2.0
#include <ridge/base/escape.hpp>

#include <gtest/gtest.h>

namespace ridge {
namespace {

TEST(escape, markup_holds_no_tag_no_quote_and_no_control_character) {
  EXPECT_EQ(markup_escaped("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
  EXPECT_EQ(markup_escaped("line\n\ttab\x1b[0m"), "line\n\ttab[0m");
}

TEST(escape, a_csv_cell_is_quoted_where_it_must_be) {
  EXPECT_EQ(csv_cell("plain text"), "plain text");
  EXPECT_EQ(csv_cell("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_cell("say \"x\""), "\"say \"\"x\"\"\"");
  EXPECT_EQ(csv_cell("two\r\nlines"), "\"two\r\nlines\"");
}

TEST(escape, markdown_shows_its_own_syntax) {
  EXPECT_EQ(markdown_escaped("a|b *c* _d_ `e` <img> [f](g) \\"),
            "a\\|b \\*c\\* \\_d\\_ \\`e\\` \\<img> \\[f](g) \\\\");
  EXPECT_EQ(markdown_escaped("two\nlines"), "two lines");
}

TEST(escape, a_code_span_ends_where_its_text_does) {
  EXPECT_EQ(markdown_code(""), "");
  EXPECT_EQ(markdown_code("sleep 1"), "`sleep 1`");
  EXPECT_EQ(markdown_code("a | b"), "`a | b`");
  EXPECT_EQ(markdown_code_cell("a | b"), "`a \\| b`");
  EXPECT_EQ(markdown_code("echo `date`"), "`` echo `date` ``");
  EXPECT_EQ(markdown_code("two\nlines"), "`two lines`");
}

TEST(terminal_escaped, noise_does_not_reach_the_terminal) {
  EXPECT_EQ(terminal_escaped("a line\nof \t text, 5 µs"), "a line\nof \t text, 5 µs");
  EXPECT_EQ(terminal_escaped("\x1b[2J\a\r"), "\\x1b[2J\\x07\\x0d");
  EXPECT_EQ(terminal_escaped("\xff\xc3"), "\\xff\\xc3");
  EXPECT_EQ(terminal_escaped("\xc2\x9b"
                             "2J"),
            "\\xc2\\x9b2J");
  EXPECT_EQ(terminal_escaped(std::string(5000, 'x'), 10), "xxxxxxxxxx...");
}

}  // namespace
}  // namespace ridge
