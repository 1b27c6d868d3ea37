// SPDX-License-Identifier: Apache-2.0
#include <ridge/probe/measure_peaks.hpp>

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/base/error.hpp>

namespace ridge::probe {
namespace {

using testing::ElementsAre, testing::HasSubstr;

class no_clock final : public measure::clock {
 public:
  std::int64_t now() const noexcept override { return 0; }
  double seconds(std::int64_t) const noexcept override { return 0; }
  double resolution_s() const noexcept override { return 1; }
  double read_cost_s() const noexcept override { return 0; }
  std::string_view name() const noexcept override { return "none"; }
};

model::ceiling row(std::string id, double value = 1) {
  return {.id = std::move(id), .unit = "B/s", .value = value};
}

class made_up final : public prober {
 public:
  explicit made_up(std::vector<peak_probe> all) : all_(std::move(all)) {}
  const std::vector<peak_probe>& probes() override { return all_; }

 private:
  std::vector<peak_probe> all_;
};

peak_probe giving(const std::string& id, depth least_depth, const std::vector<model::ceiling>& rows) {
  return {id, id, id, least_depth, [rows](const request&) { return rows; }};
}

std::vector<std::string> ids_of(const std::vector<model::ceiling>& rows) {
  std::vector<std::string> all;
  for (const auto& r : rows) all.push_back(r.id);
  return all;
}

class measuring : public testing::Test {
 protected:
  no_clock no_time{};
  made_up three{{giving("a.x", depth::essential, {row("a.x")}),
                 giving("a.y", depth::standard, {row("a.y.1"), row("a.y.2")}),
                 giving("b", depth::deep, {row("b.z")})}};
};

TEST_F(measuring, asks_the_probes_of_the_depth_and_no_deeper_ones) {
  EXPECT_THAT(ids_of(measure_peaks(three, {.clock = no_time, .depth = depth::quick})), ElementsAre("a.x"));
  EXPECT_THAT(ids_of(measure_peaks(three, {.clock = no_time, .depth = depth::deep})),
              ElementsAre("a.x", "a.y.1", "a.y.2", "b.z"));
}

TEST_F(measuring, gives_only_wanted_rows) {
  EXPECT_THAT(ids_of(measure_peaks(three, {.clock = no_time}, row_filter({"*.2", "a.x"}))),
              ElementsAre("a.x", "a.y.2"));
}

TEST_F(measuring, asks_no_probe_that_cannot_have_a_wanted_row) {
  std::vector<std::string> asked;
  (void)measure_peaks(three, {.clock = no_time, .depth = depth::deep}, row_filter({"a.y.?"}),
                      [&](const outcome& o) { asked.push_back(o.probe->id); });
  EXPECT_THAT(asked, ElementsAre("a.y"));
}

TEST_F(measuring, a_probe_that_cannot_is_skipped_with_its_reason_and_the_next_goes_on) {
  made_up with({{"gone", "gone", "gone", depth::quick,
                 [](const request&) -> std::vector<model::ceiling> {
                   throw unavailable("huge pages", "reserve some");
                 }},
                giving("here", depth::quick, {row("here")})});
  std::vector<std::string> reasons;
  EXPECT_THAT(ids_of(measure_peaks(with, {.clock = no_time}, {},
                                   [&](const outcome& o) { reasons.push_back(o.skipped); })),
              ElementsAre("here"));
  EXPECT_THAT(reasons, ElementsAre(HasSubstr("huge pages"), ""));
}

TEST_F(measuring, refuses_an_impossible_row_and_says_why) {
  auto fast = row("fast", 103);
  fast.issue_limit = 100;
  made_up with({giving("all", depth::quick, {row("all.fine"), fast})});
  std::string why;
  EXPECT_THAT(ids_of(measure_peaks(with, {.clock = no_time}, {}, [&](const outcome& o) { why = o.skipped; })),
              ElementsAre("all.fine"));
  EXPECT_THAT(why, HasSubstr("fast"));
  EXPECT_THAT(why, HasSubstr("impossible"));
}

TEST(impossible_because, allows_what_rounding_explains_and_no_more) {
  auto r = row("r", 101);
  r.issue_limit = 100;
  EXPECT_EQ(impossible_because(r), "");
  r.specified = 50;  // at another clock
  EXPECT_EQ(impossible_because(r), "");
  r.issue_limit = 0, r.specified = 97;
  EXPECT_EQ(impossible_because(r), "");
  r.specified = 96;
  EXPECT_THAT(impossible_because(r), HasSubstr("vendor"));
  EXPECT_NE(impossible_because(row("zero", 0)), "");
  EXPECT_NE(impossible_because(row("nan", std::numeric_limits<double>::quiet_NaN())), "");
}

TEST(impossible_because, a_time_may_be_longer_than_any_limit) {
  EXPECT_EQ(impossible_because({.id = "t", .unit = "s", .value = 2, .specified = 1}), "");
}

TEST(row_filter, stars_and_question_marks) {
  EXPECT_TRUE(row_filter({"cuda.*"}).wants("cuda.read"));
  EXPECT_TRUE(row_filter({"*read*"}).wants("cuda.read"));
  EXPECT_FALSE(row_filter({"cuda.?"}).wants("cuda.read"));
  EXPECT_TRUE(row_filter{}.wants("anything"));
  EXPECT_TRUE(row_filter({"cpu.fma.fp64*"}).may_want("cpu.fma"));
  EXPECT_FALSE(row_filter({"cpu.fma.fp64*"}).may_want("cpu.read"));
  EXPECT_TRUE(row_filter({"*.fp64"}).may_want("cpu.fma"));
}

}  // namespace
}  // namespace ridge::probe
