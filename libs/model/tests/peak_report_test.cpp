// SPDX-License-Identifier: Apache-2.0
#include <ridge/model/peak_report.hpp>

#include <gtest/gtest.h>

#include <ridge/model/json.hpp>

namespace ridge::model {
namespace {

peak_report report() {
  return {.peak = {.measured_at = "2026-11-21T12:00:00Z",
                   .ceilings = {{.id = "a", .unit = "B/s", .value = 2, .series = {{"4 KiB", 3}}},
                                {.id = "b.x", .unit = "s", .value = 1e-6, .disturbed = true},
                                {.id = "b.y", .unit = "s", .value = 2e-6}}},
          .environment = {.machine = "m-x1"},
          .depth = "quick",
          .wall_s = 3,
          .probes = {{.id = "a", .rows = 1}, {.id = "none", .skipped = "absent"}, {.id = "b", .rows = 2}}};
}

TEST(rows_of, are_those_of_the_subject) {
  const auto of = report();
  ASSERT_EQ(rows_of(of, 0).size(), 1u);
  EXPECT_TRUE(rows_of(of, 1).empty());
  ASSERT_EQ(rows_of(of, 2).size(), 2u);
  EXPECT_EQ(rows_of(of, 2)[1].id, "b.y");
}

TEST(rows_of, never_reaches_beyond_the_rows) {
  auto of = report();
  of.probes[0].rows = 7;
  EXPECT_EQ(rows_of(of, 0).size(), 3u);
  EXPECT_TRUE(rows_of(of, 2).empty());
  of.probes[0].rows = -7;
  EXPECT_EQ(rows_of(of, 2)[0].id, "a");
}

TEST(peak_report_json, is_read_back_whole_and_as_a_peak) {
  const auto text = peak_report_json(report());
  const auto back = peak_report_from_json(text);
  ASSERT_TRUE(back) << back.why().text();
  EXPECT_EQ(peak_report_json(*back), text);
  const auto peak = peak_from_json(text);
  ASSERT_TRUE(peak);
  EXPECT_EQ(peak->ceilings.size(), 3u);
}

TEST(peak_find, the_best_of_times_is_the_shortest) {
  const peak of{.ceilings = {{.id = "t", .unit = "s", .value = 2, .threads = 1},
                             {.id = "t", .unit = "s", .value = 1, .threads = 2}}};
  EXPECT_EQ(of.find("t")->threads, 2);
}

}  // namespace
}  // namespace ridge::model
