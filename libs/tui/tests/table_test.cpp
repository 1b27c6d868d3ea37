// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <ridge/tui/grid.hpp>

#include "view/draw_table.hpp"
#include "view/table_state.hpp"

namespace ridge::tui {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

report::sheet times() {
  return {.key = "results",
          .title = "Results",
          .fields = {{.key = "workload", .header = "workload"},
                     {.key = "variant", .header = "variant"},
                     {.key = "shown", .header = "median"},
                     {.key = "ratio", .header = "ratio", .unit = report::unit::number},
                     {.key = "machine", .header = "machine"},
                     {.key = "run"}},
          .rows = {{.values = {"w1", "slow", "1.2 ms ±3 %", std::monostate{}, "m", "r1"}},
                   {.values = {"w1", "fast", "412 µs ±1 %", 2.9, "m", "r2"}},
                   {.values = {"w2", "least", "900 ns", 10.5, "m", "r3"}}}};
}

TEST(leading_quantity, reads_prefixes_of_units) {
  EXPECT_DOUBLE_EQ(*leading_quantity("1.2 ms ±3 %"), 0.0012);
  EXPECT_DOUBLE_EQ(*leading_quantity("64 KiB"), 65536);
  EXPECT_DOUBLE_EQ(*leading_quantity("3.2 TB/s"), 3.2e12);
  EXPECT_DOUBLE_EQ(*leading_quantity("1.783× [1.77, 1.79]"), 1.783);
  EXPECT_DOUBLE_EQ(*leading_quantity("5 meters"), 5);
  EXPECT_FALSE(leading_quantity("memcpy"));
}

TEST(shown_rows, sorts_quantities_by_size_and_unknown_ones_last) {
  const auto sheet = times();
  EXPECT_THAT(shown_rows(sheet, {}), ElementsAre(0, 1, 2));
  EXPECT_THAT(shown_rows(sheet, {.sort = 2}), ElementsAre(2, 1, 0));
  EXPECT_THAT(shown_rows(sheet, {.sort = 3}), ElementsAre(1, 2, 0));
  EXPECT_THAT(shown_rows(sheet, {.sort = 3, .descending = true}), ElementsAre(2, 1, 0));
  EXPECT_THAT(shown_rows(sheet, {.sort = 1, .descending = true}), ElementsAre(0, 2, 1));
  EXPECT_THAT(shown_rows(sheet, {.sort = 99}), ElementsAre(0, 1, 2));
}

TEST(shown_rows, filters_by_shown_cells_alone) {
  EXPECT_THAT(shown_rows(times(), {.filter = "FAST"}), ElementsAre(1));
  EXPECT_THAT(shown_rows(times(), {.filter = "r2"}), ElementsAre());  // a hidden field
}

TEST(draw_table, says_once_what_all_rows_share) {
  grid canvas(44, 8);
  table_state state{.selected = 1};
  const auto seen = draw_table(canvas, {0, 0, 44, 8}, times(), state, {});
  EXPECT_EQ(canvas.text(),
            "   all: machine m\n"
            "   workload   variant   median        ratio\n"
            "   w1         slow      1.2 ms ±3 %       -\n"
            "▸  w1         fast      412 µs ±1 %     2.9\n"
            "   w2         least     900 ns         10.5\n\n\n\n");
  EXPECT_EQ(seen.shown_rows, 3U);
}

TEST(draw_table, keeps_the_selected_row_and_the_heading_of_its_group_on_the_screen) {
  auto sheet = times();
  for (int i = 0; i < 30; ++i)
    sheet.rows.push_back({.values = {"w3 with a name of some length", "v" + std::to_string(i), "1 s", 1.0,
                                     "machine " + std::to_string(i / 20), "r"}});
  table_state state{.selected = 25};
  grid canvas(40, 6);
  (void)draw_table(canvas, {0, 0, 40, 6}, sheet, state, {});
  const auto text = canvas.text();
  EXPECT_THAT(text, HasSubstr("▸  v22"));
  EXPECT_THAT(text, HasSubstr("w3 with a name of some length"));
  EXPECT_THAT(text, Not(HasSubstr("slow")));
  state.selected = 10'000;  // a table that was made anew may be shorter
  (void)draw_table(canvas, {0, 0, 40, 6}, sheet, state, {});
  EXPECT_EQ(state.selected, 32U);
}

TEST(draw_table, scrolls_columns_but_the_first) {
  grid canvas(30, 5);
  auto sheet = times();
  sheet.rows.resize(1);  // one row: nothing is shared and nothing grouped
  table_state state{.left = 2};
  const auto seen = draw_table(canvas, {0, 0, 30, 5}, sheet, state, {});
  EXPECT_THAT(canvas.text(), HasSubstr("workload"));
  EXPECT_THAT(canvas.text(), Not(HasSubstr("variant")));
  EXPECT_EQ(seen.hidden_left, 2U);
}

TEST(draw_table, says_why_it_is_empty) {
  grid canvas(60, 3);
  table_state state;
  (void)draw_table(
      canvas, {0, 0, 60, 3},
      {.key = "k", .fields = {{.key = "a", .header = "a"}}, .empty = "`ridge run ch01` fills it."}, state,
      {});
  EXPECT_THAT(canvas.text(), HasSubstr("`ridge run ch01` fills it."));
  state.filter = "nothing like it";
  (void)draw_table(canvas, {0, 0, 60, 3}, times(), state, {});
  EXPECT_THAT(canvas.text(), HasSubstr("No row contains \"nothing like it\""));
}

TEST(draw_table, shows_what_names_hold_instead_of_obeying_it) {
  auto sheet = times();
  sheet.rows[0].values[1] = std::string("\x1b]0;owned\x07");
  grid canvas(80, 5);
  table_state state;
  (void)draw_table(canvas, {0, 0, 80, 5}, sheet, state, {});
  EXPECT_THAT(canvas.text(), HasSubstr("\\x1b]0;owned\\x07"));
}

}  // namespace
}  // namespace ridge::tui
