// SPDX-License-Identifier: Apache-2.0
#include <ridge/base/csv_reader.hpp>

#include <iterator>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "single_quotes.hpp"

namespace ridge {
namespace {

using testing::ElementsAre;
using rows = std::vector<std::vector<std::string>>;
using row = std::vector<std::string>;

row values(const csv_reader& reader) {
  row all;
  for (std::size_t i = 0; i < reader.size(); ++i) all.push_back(reader.value(i));
  return all;
}

rows records(std::string_view text, csv_cells cells = csv_cells::over_lines) {
  rows all;
  for (csv_reader reader(text, cells); reader.next();) all.push_back(values(reader));
  return all;
}

TEST(csv_reader, plain_cells) {
  EXPECT_THAT(records("a,b\r\n1,2\n\n \n,\nx"),
              ElementsAre(row{"a", "b"}, row{"1", "2"}, row{" "}, row{"", ""}, row{"x"}));
  EXPECT_THAT(records("1,2,"), ElementsAre(row{"1", "2", ""}));
  EXPECT_TRUE(records("").empty());
  EXPECT_TRUE(records("\xEF\xBB\xBF").empty());
  EXPECT_TRUE(records("\r\n\n\r").empty());
}

TEST(csv_reader, quoted_cells) {
  EXPECT_THAT(records("\xEF\xBB\xBF\"a \"\"b\"\", c\",\"\"\r\n\"two\nlines\",\"x\" y,z\n"),
              ElementsAre(row{"a \"b\", c", ""}, row{"two\nlines", "x", "z"}));
  EXPECT_THAT(records("\"\"\"\",\"\"\"\"\"\""), ElementsAre(row{"\"", "\"\""}));
  EXPECT_THAT(records("a\"b,c"), ElementsAre(row{"a\"b", "c"}));
}

TEST(csv_reader, doubled_quotes_are_made_single_in_quoted_cells_alone) {
  EXPECT_THAT(records("a\"\"b,\"a\"\"b\",\"\"\"a\"\"\"\n x\"\"\"\",y\"\"\n"),
              ElementsAre(row{"a\"\"b", "a\"b", "\"a\""}, row{" x\"\"\"\"", "y\"\""}));
}

// Iterators of a single pass cannot go back: a text of quotes alone is read once.
TEST(csv_reader, a_quoted_cell_is_read_in_a_single_pass) {
  using single_pass = std::istreambuf_iterator<char>;
  static_assert(!std::forward_iterator<single_pass>);
  for (const auto& [text, single] :
       {std::pair{"\"\"\"\"\"\"", "\"\"\""}, {"\"\"a\"b\"\"", "\"a\"b\""}, {"", ""}}) {
    std::istringstream cell(text);
    std::string copied;
    copy_single_quotes(single_pass(cell), single_pass(), std::back_inserter(copied));
    EXPECT_EQ(copied, single);
  }
}

TEST(csv_reader, quote_that_is_never_closed) {
  csv_reader whole("\"a,1\r\nb,2\n");
  ASSERT_TRUE(whole.next());
  EXPECT_FALSE(whole.closed());
  EXPECT_THAT(values(whole), ElementsAre("a,1\r\nb,2\n"));
  whole.resume_below_first_line();
  ASSERT_TRUE(whole.next());
  EXPECT_TRUE(whole.closed());
  EXPECT_EQ(whole.line(), 2);
  EXPECT_THAT(values(whole), ElementsAre("b", "2"));
  EXPECT_THAT(records("\"a,1\r\nb,2\n", csv_cells::within_a_line), ElementsAre(row{"a,1"}, row{"b", "2"}));
}

TEST(csv_reader, text_behind_a_closing_quote_is_told) {
  csv_reader reader("\"2\".50,1\n\"2\" \t,\"x\"\r\n\"NVIDIA\" H100");
  ASSERT_TRUE(reader.next());
  EXPECT_FALSE(reader.whole());
  ASSERT_TRUE(reader.next());
  EXPECT_TRUE(reader.whole());
  ASSERT_TRUE(reader.next());
  EXPECT_FALSE(reader.whole());
}

TEST(csv_reader, places) {
  csv_reader reader("a,b\n\n\"two\nlines\",\"q\",c\nlast\n");
  ASSERT_TRUE(reader.next() && reader.next());
  EXPECT_EQ(reader.line(), 3);
  EXPECT_EQ(reader.offset(), 5U);
  EXPECT_EQ(reader.column(0), 1U);
  EXPECT_EQ(reader.column(1), 13U);
  EXPECT_EQ(reader.column(2), 17U);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.line(), 5);
  EXPECT_FALSE(reader.next());
}

TEST(csv_reader, next_quoted_leaves_out_lines_of_other_programs) {
  csv_reader reader("==PROF== a, \"b\"\n\n\xEF\xBB\xBF\"1\",x\nnoise\n\"2\"");
  ASSERT_TRUE(reader.next_quoted());
  EXPECT_THAT(values(reader), ElementsAre("1", "x"));
  EXPECT_EQ(reader.line(), 3);
  ASSERT_TRUE(reader.next_quoted());
  EXPECT_THAT(values(reader), ElementsAre("2"));
  EXPECT_FALSE(reader.next_quoted());
}

}  // namespace
}  // namespace ridge
