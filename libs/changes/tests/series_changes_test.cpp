// SPDX-License-Identifier: Apache-2.0
#include <ridge/changes/series_changes.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ridge/stats/counter_random.hpp>

namespace ridge::changes {
namespace {

using points = std::vector<model::measured_point>;

const model::workload copying{.machine = "m", .experiment = "ch01.copy", .problem = "n=64"};

model::measured_series series_of(model::better better = model::better::lower) {
  return {.id = 1, .workload = 1, .variant = "fast", .metric = {.better = better}};
}

points steady(std::size_t n, std::uint64_t seed = 1) {
  points made(n);
  for (std::size_t i = 0; i < n; ++i) {
    made[i].run = fmt::format("R{:03}", i);
    made[i].started = fmt::format("2026-01-{:02}T00:00:00Z", i % 28 + 1);
    made[i].median = 1e-3 * (1 + 0.01 * stats::random_normal(seed, 0, i));
  }
  return made;
}

void scale(points& made, std::size_t begin, double factor) {
  for (auto i = begin; i < made.size(); ++i) made[i].median *= factor;
}

TEST(search, says_where_a_series_got_slower_and_by_how_much) {
  auto made = steady(40);
  scale(made, 25, 1.1);
  const auto seen = search(copying, series_of(), made, {}, 1);
  ASSERT_EQ(seen.changes.size(), 1U);
  const auto& change = seen.changes.front();
  EXPECT_EQ(change.run, "R025");
  EXPECT_EQ(change.run_before, "R024");
  EXPECT_EQ(change.started, made[25].started);
  EXPECT_EQ(change.direction, direction::worse);
  EXPECT_NEAR(change.ratio, 1 / 1.1, 0.01) << "below 1 is worse, whatever the metric";
  EXPECT_TRUE(change.ci.contains(change.ratio));
  EXPECT_LT(change.ci.hi, 1);
  EXPECT_EQ(change.state, "untriaged");
  ASSERT_EQ(seen.segments.size(), 2U);
  EXPECT_EQ(seen.segments[1].first_run, "R025");
  EXPECT_EQ(seen.segments[1].last_run, "R039");
  EXPECT_TRUE(seen.segments[1].ci->contains(seen.segments[1].median));
}

TEST(search, a_higher_rate_is_better) {
  auto made = steady(40);
  scale(made, 20, 1.1);
  const auto seen = search(copying, series_of(model::better::higher), made, {}, 1);
  ASSERT_EQ(seen.changes.size(), 1U);
  EXPECT_EQ(seen.changes.front().direction, direction::better);
  EXPECT_NEAR(seen.changes.front().ratio, 1.1, 0.01);
}

TEST(search, says_when_there_are_too_few_runs) {
  EXPECT_FALSE(search(copying, series_of(), steady(7), {}, 1).enough);
  EXPECT_TRUE(search(copying, series_of(), steady(8), {}, 1).enough);
  const auto none = search(copying, series_of(), points{}, {}, 1);
  EXPECT_TRUE(none.segments.empty());
  EXPECT_FALSE(none.watching);
}

TEST(search, a_short_level_has_no_interval) {
  const auto seen = search(copying, series_of(), steady(5), {}, 1);
  ASSERT_EQ(seen.segments.size(), 1U);
  EXPECT_FALSE(seen.segments.front().ci);
}

TEST(search, ratios_of_levels_at_zero_are_unknown) {
  auto made = steady(30);
  for (std::size_t i = 0; i < 15; ++i) made[i].median = 0;
  const auto seen = search(copying, series_of(), made, {}, 1);
  ASSERT_EQ(seen.changes.size(), 1U);
  EXPECT_TRUE(std::isnan(seen.changes.front().ratio));
  EXPECT_EQ(seen.changes.front().direction, direction::worse);
}

TEST(valued, leaves_out_what_was_not_measured) {
  auto made = steady(3);
  made[1].median = std::numeric_limits<double>::quiet_NaN();
  const auto kept = valued(made);
  ASSERT_EQ(kept.size(), 2U);
  EXPECT_EQ(kept[1].run, "R002");
}

TEST(watch, one_or_two_runs_off_their_level_are_watched_not_called_a_change) {
  for (const std::size_t count : {1U, 2U}) {
    auto made = steady(30);
    scale(made, 30 - count, 1.2);
    const auto seen = search(copying, series_of(), made, {}, 1);
    EXPECT_TRUE(seen.changes.empty()) << count;
    ASSERT_TRUE(seen.watching) << count;
    EXPECT_EQ(seen.watching->runs, count);
    EXPECT_EQ(seen.watching->first_run, made[30 - count].run);
    EXPECT_EQ(seen.watching->direction, direction::worse);
  }
  auto made = steady(30);
  scale(made, 27, 1.2);
  const auto seen = search(copying, series_of(), made, {}, 1);
  EXPECT_EQ(seen.changes.size(), 1U) << "the third run makes it a change";
  EXPECT_FALSE(seen.watching);
}

TEST(watch, noise_is_not_watched) {
  int watched = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    if (watch(steady(40, seed), model::better::lower, {})) ++watched;
  EXPECT_LE(watched, 3);
}

TEST(correct_together, asks_more_of_a_change_among_many_series) {
  std::vector<series_changes> all;
  std::vector<points> data;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    data.push_back(steady(30, seed));
    if (seed == 0) scale(data.back(), 15, 1.1);
    all.push_back(search(copying, series_of(), data.back(), {}, 40));
  }
  ASSERT_EQ(all[0].changes.size(), 1U);
  const double alone = all[0].changes[0].p;
  correct_together(all, [](const series_changes&) { return points{}; }, {});  // none is taken back
  ASSERT_EQ(all[0].changes.size(), 1U);
  EXPECT_GT(all[0].changes[0].q, alone);
  EXPECT_LE(all[0].changes[0].q, 0.05);
}

TEST(correct_together, takes_back_what_is_not_clear_among_so_many) {
  auto made = steady(40);
  scale(made, 20, 1.1);
  std::vector<series_changes> all{search(copying, series_of(), made, {}, 1)};
  ASSERT_EQ(all[0].changes.size(), 1U);
  all[0].tested.resize(1000, 1.0);
  all[0].changes[0].p = 0.0009;
  all[0].tested[0] = 0.0009;
  correct_together(all, [&](const series_changes&) { return made; }, {});
  EXPECT_TRUE(all[0].changes.empty());
  ASSERT_EQ(all[0].segments.size(), 1U) << "the levels are one again";
  EXPECT_EQ(all[0].segments[0].end, 40U);
}

}  // namespace
}  // namespace ridge::changes
