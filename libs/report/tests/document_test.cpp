// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include <gmock/gmock.h>

#include <ridge/report/document.hpp>

namespace ridge::report {
namespace {

using std::int64_t;
using ::testing::HasSubstr;
using ::testing::Not;

document example_document() {
  sheet devices{.key = "devices",
                .title = "Devices",
                .fields = {{"device", "device", unit::text},
                           {"busy_ns", "busy", unit::nanoseconds},
                           {"pct.idle", "idle", unit::percent},
                           {"raw", "", unit::count}},
                .keyed = true};
  devices.rows.push_back({.values = {int64_t{0}, int64_t{1'234'567}, 2.5, int64_t{7}}});
  devices.rows.push_back(
      {.values = {int64_t{1}, std::monostate{}, std::numeric_limits<double>::quiet_NaN(), int64_t{8}}});
  sheet names{.key = "names", .fields = {{"name", "name"}}};
  names.rows.push_back({.values = {std::string("a \"b\", c")}});
  return {.schema = "ridge.trace.example/1",
          .title = "An example",
          .facts = {{"events", int64_t{3}}},
          .sheets = {devices, names}};
}

TEST(document, reads_with_units_as_text_and_leaves_out_fields_without_a_header) {
  const auto text = text_of(example_document());
  EXPECT_THAT(text, HasSubstr("1.23 ms"));
  EXPECT_THAT(text, HasSubstr("2.50 %"));
  EXPECT_THAT(text, Not(HasSubstr("raw")));
}

TEST(document, rows_stand_below_what_they_are_grouped_by_and_keep_it_in_csv) {
  sheet ranks{.key = "ranks",
              .fields = {{"workload", "workload"}, {"run", "run"}, {"variant", "variant"}},
              .grouped_by = 2};
  ranks.rows.push_back({.values = {std::string("a n=1"), std::string("r1"), std::string("fast")}});
  ranks.rows.push_back({.values = {std::string("a n=1"), std::string("r1"), std::string("slow")}});
  ranks.rows.push_back({.values = {std::string("b"), std::monostate{}, std::string("only")}});
  EXPECT_EQ(text_of({.sheets = {ranks}}), "    variant\n  a n=1, r1\n    fast\n    slow\n  b\n    only\n");
  EXPECT_EQ(csv_of({.sheets = {ranks}}), "workload,run,variant\na n=1,r1,fast\na n=1,r1,slow\nb,,only\n");
}

TEST(document, shows_the_end_of_a_runs_id_in_tables_and_all_of_it_for_programs) {
  sheet seen{.key = "seen", .fields = {{"variant", "variant"}, {"run", "run"}}};
  seen.rows.push_back({.values = {std::string("fast"), std::string("01M84324X2VMNDKSBAD4P68TYT")}});
  seen.rows.push_back({.values = {std::string("slow"), std::string("by hand")}});
  EXPECT_EQ(text_of({.sheets = {seen}}), "  variant  run\n  fast     D4P68TYT\n  slow     by hand\n");
  EXPECT_THAT(csv_of({.sheets = {seen}}), HasSubstr("fast,01M84324X2VMNDKSBAD4P68TYT"));
  EXPECT_THAT(json_of({.sheets = {seen}}), HasSubstr("\"01M84324X2VMNDKSBAD4P68TYT\""));
}

TEST(document, texts_without_room_stand_below_their_rows) {
  sheet laws{.key = "laws",
             .fields = {{"variant", "variant"}, {"sizes", "sizes", unit::count}, {"reads", "reads"}}};
  const std::string reads = "62.8 µs [50.7 µs, 74.9 µs] + 21.6 ns × tokens";
  laws.rows.push_back({.values = {std::string("a_variant_with_a_name"), int64_t{3}, reads}});
  laws.rows.push_back({.values = {std::string("another"), int64_t{3}, std::monostate{}}});
  EXPECT_THAT(text_of({.sheets = {laws}}, {.columns = 90}), HasSubstr("name      3  62.8 µs"));
  const auto narrow = text_of({.sheets = {laws}}, {.columns = 50});
  EXPECT_THAT(narrow, HasSubstr("name      3\n    reads: 62.8 µs [50.7 µs, 74.9 µs] + 21.6 ns ×\n"));
  EXPECT_THAT(narrow, Not(HasSubstr("sizes  reads"))) << narrow;
}

TEST(document, keeps_whole_nanoseconds_and_nests_keys_in_json) {
  EXPECT_EQ(json_of(example_document()), R"({
 "schema": "ridge.trace.example/1",
 "events": 3,
 "devices": {
  "0": {
   "busy_ns": 1234567,
   "pct": {
    "idle": 2.5
   },
   "raw": 7
  },
  "1": {
   "busy_ns": null,
   "pct": {
    "idle": null
   },
   "raw": 8
  }
 },
 "names": [
  {
   "name": "a \"b\", c"
  }
 ]
}
)");
}

TEST(document, quotes_csv_and_leaves_unknown_values_empty) {
  EXPECT_EQ(csv_of(example_document()),
            "device,busy_ns,pct.idle,raw\n0,1234567,2.5,7\n1,,,8\n\nname\n\"a \"\"b\"\", c\"\n");
}

document with_long_names() {
  sheet kernels{.key = "kernels",
                .fields = {{"name", "name"}, {"a", "a"}, {"b", "b"}, {"c", "c"}, {"d", "d"}, {"e", "far"}}};
  kernels.fields[0].fit = [](const std::vector<std::string>& texts, std::size_t columns) {
    std::vector<std::string> made;
    for (const auto& text : texts) made.push_back(text.substr(0, columns));
    return made;
  };
  for (const char* name : {"x", "y"})
    kernels.rows.push_back({.values = {std::string(80, *name), std::string(10, 'a'), std::string(10, 'b'),
                                       std::string(10, 'c'), std::string(10, 'd'), std::string(10, 'e')}});
  return {.facts = {{"path", std::string("a.json")}}, .sheets = {kernels}};
}

TEST(document, makes_names_fit_the_columns_and_says_which_fields_had_no_room) {
  const auto wide = text_of(with_long_names(), {.columns = 120}),
             narrow = text_of(with_long_names(), {.columns = 90});
  EXPECT_THAT(wide, HasSubstr("far"));
  EXPECT_THAT(wide, HasSubstr(std::string(58, 'x')));
  EXPECT_THAT(wide, Not(HasSubstr(std::string(59, 'x'))));
  EXPECT_THAT(narrow, HasSubstr("left out, for lack of room: far"));
  EXPECT_THAT(narrow, HasSubstr(std::string(36, 'x')));
  EXPECT_THAT(narrow, Not(HasSubstr("eeee")));
}

TEST(document, writes_large_numbers_out) {
  EXPECT_EQ(shown(338'781.4, unit::number), "338 781");
  EXPECT_EQ(shown(-12'345.0, unit::number), "-12 345");
  EXPECT_EQ(shown(9876.5, unit::number), "9876");
  EXPECT_EQ(shown(0.125, unit::number), "0.125");
}

TEST(document, holds_one_table_a_csv_and_names_the_others) {
  const auto example = example_document();
  EXPECT_EQ(*csv_table_of({example}, "names"), "name\n\"a \"\"b\"\", c\"\n");
  EXPECT_THAT(*csv_table_of({example}), testing::StartsWith("device,busy_ns,"));
  EXPECT_THAT(*csv_table_of({example}), Not(HasSubstr("name\n")));
  const auto wrong = csv_table_of({example}, "kernel");
  ASSERT_FALSE(wrong.ok());
  EXPECT_THAT(wrong.why().remedy, HasSubstr("devices, names"));
}

TEST(document, puts_the_rows_of_several_traces_under_one_header) {
  auto second = with_long_names();
  second.facts[0].second = std::string("b,2.json");
  const auto csv = *csv_table_of({with_long_names(), second});
  EXPECT_THAT(csv, testing::StartsWith("trace,name,a"));
  EXPECT_THAT(csv, HasSubstr("\na.json,xxx"));
  EXPECT_THAT(csv, HasSubstr("\n\"b,2.json\",yyy"));
}

}  // namespace
}  // namespace ridge::report
