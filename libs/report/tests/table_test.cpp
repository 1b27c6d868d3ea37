// SPDX-License-Identifier: Apache-2.0
#include <ridge/report/table.hpp>

#include <gtest/gtest.h>

#include <ridge/base/error.hpp>

namespace ridge::report {
namespace {

TEST(table, aligns_by_columns_not_bytes) {
  table t({{"name"}, {"time", align::right}});
  t.row({"µ", "9 µs"});
  t.row({"ab", "12 ms"});
  EXPECT_EQ(t.text(), "name   time\nµ      9 µs\nab    12 ms\n");
}

TEST(table, wraps_its_last_column_and_indents_what_continues) {
  table t({{""}, {""}});
  t.row({"a", "one two three four five six seven eight"});
  EXPECT_EQ(t.text({.columns = 24, .indent = 2}),
            "  a  one two three four\n     five six seven\n     eight\n");
}

TEST(table, leaves_out_columns_that_hold_nothing) {
  table t({{"a"}, {"empty"}, {"b"}});
  t.row({"1", "", "2"});
  EXPECT_EQ(t.text(), "a  b\n1  2\n");
}

TEST(table, cuts_the_first_column_only_when_wrapping_was_not_enough) {
  table t({{"variant"}, {"verdict"}});
  t.row({"a_very_long_name_of_a_variant_indeed", "DIFFERENT_BUT_SMALL"});
  EXPECT_EQ(t.text({.columns = 40}),
            "variant              verdict\na_very_long_name_o…  DIFFERENT_BUT_SMALL\n");
}

TEST(table, notes_have_lines_of_their_own) {
  table t({{"a"}});
  t.row({"1"});
  t.note("why it is so", 4);
  EXPECT_EQ(t.text({.columns = 12}), "a\n1\n    why it\n    is so\n");
}

TEST(table, a_row_of_another_length_is_a_bug) {
  table t({{"a"}, {"b"}});
  EXPECT_THROW(t.row({"1"}), precondition_violated);
}

}  // namespace
}  // namespace ridge::report
