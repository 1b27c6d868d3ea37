// SPDX-License-Identifier: Apache-2.0
#include <ridge/changes/departures.hpp>

#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ridge/stats/counter_random.hpp>

namespace ridge::changes {
namespace {

const model::workload scanning{.machine = "m", .experiment = "ch01.scan"};
const model::measured_series timed{.id = 1, .workload = 1, .variant = "fast"};

model::measured_point point(double value, std::size_t run) {
  return {.run = fmt::format("R{:03}", run), .median = value, .ci = {value * 0.995, value * 1.005}};
}

std::vector<model::measured_point> runs_at(double level, std::size_t n, std::uint64_t seed) {
  std::vector<model::measured_point> made;
  for (std::size_t i = 0; i < n; ++i)
    made.push_back(point(level * (1 + 0.01 * stats::random_normal(seed, 0, i)), i));
  return made;
}

bool stands_out(std::span<const model::measured_point> baseline, double value) {
  auto seen = departure_of(scanning, timed, baseline, point(value, 900), {});
  departure* const one[] = {&seen};
  judge_together(one, {});
  return seen.stands_out;
}

TEST(departure_of, a_run_that_is_10_percent_slower_stands_out_and_one_within_the_noise_does_not) {
  const auto baseline = runs_at(1, 20, 3);
  EXPECT_TRUE(stands_out(baseline, 1.1));
  EXPECT_TRUE(stands_out(baseline, 0.9));
  EXPECT_FALSE(stands_out(baseline, 1.01));
}

TEST(departure_of, says_how_much_and_in_which_direction) {
  const auto seen = departure_of(scanning, timed, runs_at(1, 20, 3), point(1.25, 900), {});
  EXPECT_EQ(seen.direction, direction::worse);
  EXPECT_NEAR(seen.ratio, 0.8, 0.01);
  EXPECT_EQ(seen.last_baseline_run, "R019");
  EXPECT_EQ(seen.baseline_runs, 20U);
}

TEST(departure_of, runs_alike_stand_out_about_as_rarely_as_the_level_says) {
  int alarms = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    auto runs = runs_at(1, 16, seed);
    const double newest = runs.back().median;
    runs.pop_back();
    if (stands_out(runs, newest)) ++alarms;
  }
  EXPECT_LE(alarms, 40);
}

TEST(departure_of, compares_with_the_level_at_which_the_baseline_ended) {
  auto baseline = runs_at(1, 30, 4);
  for (std::size_t i = 15; i < 30; ++i) baseline[i].median *= 1.3;
  EXPECT_FALSE(stands_out(baseline, 1.3));
  EXPECT_TRUE(stands_out(baseline, 1.0));
}

TEST(departure_of, few_runs_need_intervals_apart) {
  const auto baseline = runs_at(1, 3, 5);
  const auto seen = departure_of(scanning, timed, baseline, point(1.2, 900), {});
  EXPECT_FALSE(seen.p);
  EXPECT_TRUE(seen.stands_out);
  auto wide = point(1.2, 900);
  wide.ci = {0.9, 1.5};
  EXPECT_FALSE(departure_of(scanning, timed, baseline, wide, {}).stands_out);
}

TEST(departure_of, levels_of_zero_have_no_ratio) {
  const std::vector<model::measured_point> baseline(8, point(0, 1));
  EXPECT_TRUE(stands_out(baseline, 2));
  EXPECT_FALSE(stands_out(baseline, 0));
  EXPECT_TRUE(std::isnan(departure_of(scanning, timed, baseline, point(2, 900), {}).ratio));
}

TEST(judge_together, asks_more_of_a_departure_among_many) {
  std::vector<departure> all(100);
  for (auto& one : all) {
    one.level = one.newest.median = 1;
    one.p = 0.5;
  }
  all[7].newest.median = 1.1;
  all[7].p = 0.01;
  std::vector<departure*> seen;
  for (auto& one : all) seen.push_back(&one);
  judge_together(seen, {});
  EXPECT_FALSE(all[7].stands_out) << "one in a hundred happens by chance";
  all[7].p = 1e-5;
  judge_together(seen, {});
  EXPECT_TRUE(all[7].stands_out);
  EXPECT_FALSE(all[8].stands_out);
}

}  // namespace
}  // namespace ridge::changes
