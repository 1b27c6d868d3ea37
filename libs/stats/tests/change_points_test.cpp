// SPDX-License-Identifier: Apache-2.0
#include <ridge/stats/change_points.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <ridge/base/error.hpp>
#include <ridge/stats/counter_random.hpp>
#include <ridge/stats/median.hpp>

namespace ridge::stats {
namespace {

std::vector<double> noisy(std::size_t n, std::uint64_t seed, double deviation = 1) {
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = 100 + deviation * random_normal(seed, 0, i);
  return x;
}

std::vector<double> wandering(std::size_t n, std::uint64_t seed) {
  std::vector<double> x(n);
  double last = 0;
  for (std::size_t i = 0; i < n; ++i) {
    last = 0.7 * last + 0.714 * random_normal(seed, 0, i);
    x[i] = 100 + last;
  }
  return x;
}

void raise(std::vector<double>& x, std::size_t begin, std::size_t end, double factor) {
  for (auto i = begin; i < end; ++i) x[i] *= factor;
}

// Number of series, of `trials`, in which a change is found.
template <class Make>
int alarms(int trials, Make make) {
  int count = 0;
  for (int trial = 0; trial < trials; ++trial)
    if (!find_changes(make(static_cast<std::uint64_t>(trial)), {.resamples = 999}).changes.empty()) ++count;
  return count;
}

TEST(find_changes, places_a_step_and_gives_the_levels_beside_it) {
  auto x = noisy(60, 3);
  raise(x, 35, 60, 1.05);
  const auto scan = find_changes(x);
  ASSERT_EQ(scan.changes.size(), 1U);
  const auto& change = scan.changes.front();
  EXPECT_EQ(change.index, 35U);
  EXPECT_EQ(change.before, median(std::span(x).first(35)));
  EXPECT_EQ(change.after, median(std::span(x).subspan(35)));
  EXPECT_EQ(change.p, 1.0 / 2000) << "no resample was as clear";
}

TEST(find_changes, finds_what_came_and_went) {
  auto x = noisy(100, 4);
  raise(x, 50, 70, 1.04);
  const auto scan = find_changes(x);
  ASSERT_EQ(scan.changes.size(), 2U);
  EXPECT_NEAR(static_cast<double>(scan.changes[0].index), 50, 1);
  EXPECT_NEAR(static_cast<double>(scan.changes[1].index), 70, 1);
  EXPECT_GT(scan.changes[0].after, scan.changes[0].before);
  EXPECT_LT(scan.changes[1].after, scan.changes[1].before);
}

TEST(find_changes, finds_several_steps_in_order) {
  auto x = noisy(90, 5);
  raise(x, 30, 90, 1.06);
  raise(x, 60, 90, 0.92);
  const auto scan = find_changes(x);
  ASSERT_EQ(scan.changes.size(), 2U);
  EXPECT_NEAR(static_cast<double>(scan.changes[0].index), 30, 1);
  EXPECT_NEAR(static_cast<double>(scan.changes[1].index), 60, 1);
  EXPECT_EQ(scan.changes[0].after, scan.changes[1].before) << "one level lies between";
}

TEST(find_changes, keeps_quiet_on_independent_and_on_wandering_noise) {
  EXPECT_LE(alarms(100, [](auto seed) { return noisy(100, seed); }), 3);
  EXPECT_LE(alarms(100, [](auto seed) { return wandering(100, seed); }), 16);
}

TEST(find_changes, is_not_misled_by_single_spikes) {
  auto x = noisy(60, 6);
  for (const auto i : {9U, 25U, 26U, 44U}) x[i] = 180;
  EXPECT_TRUE(find_changes(x).changes.empty());
  raise(x, 30, 60, 1.05);
  const auto scan = find_changes(x);
  ASSERT_EQ(scan.changes.size(), 1U);
  EXPECT_NEAR(static_cast<double>(scan.changes.front().index), 30, 1);
}

TEST(find_changes, leaves_out_steps_below_the_smallest_effect) {
  auto x = noisy(100, 7, 0.01);
  raise(x, 50, 100, 1.005);
  EXPECT_TRUE(find_changes(x).changes.empty());
  EXPECT_EQ(find_changes(x, {.min_effect = 0.002}).changes.size(), 1U);
}

TEST(find_changes, takes_series_without_noise) {
  std::vector<double> x(20, 7.0);
  EXPECT_TRUE(find_changes(x).changes.empty());
  std::fill(x.begin() + 12, x.end(), 8.0);
  const auto scan = find_changes(x);
  ASSERT_EQ(scan.changes.size(), 1U);
  EXPECT_EQ(scan.changes.front().index, 12U);
  std::fill(x.begin(), x.begin() + 12, 0.0);
  EXPECT_EQ(find_changes(x).changes.size(), 1U) << "from 0 to something is a change";
}

TEST(find_changes, says_nothing_of_series_that_are_too_short) {
  for (std::size_t n = 0; n < 8; ++n) {
    std::vector<double> x(n, 1.0);
    if (n > 3) raise(x, n / 2, n, 2);
    const auto scan = find_changes(x);
    EXPECT_TRUE(scan.changes.empty()) << n;
    EXPECT_TRUE(scan.tested.empty()) << n;
  }
}

TEST(find_changes, needs_as_many_observations_on_each_side_as_the_rules_say) {
  auto x = noisy(40, 8, 0.1);
  raise(x, 36, 40, 1.1);
  const auto scan = find_changes(x, {.fewest = 4});
  ASSERT_EQ(scan.changes.size(), 1U);
  EXPECT_EQ(scan.changes.front().index, 36U);
  EXPECT_TRUE(find_changes(x, {.fewest = 5}).changes.empty());
  std::ranges::reverse(x);
  EXPECT_EQ(find_changes(x, {.fewest = 4}).changes.size(), 1U);
  EXPECT_TRUE(find_changes(x, {.fewest = 5}).changes.empty());
  raise(x, 20, 40, 0.9);
  EXPECT_EQ(find_changes(x, {.fewest = 5}).changes.size(), 1U) << "what else changed is found all the same";
}

TEST(find_changes, answers_the_same_again_and_by_its_seed) {
  auto x = wandering(80, 9);
  const auto first = find_changes(x, {.seed = 1}), again = find_changes(x, {.seed = 1});
  EXPECT_EQ(first.tested, again.tested);
  EXPECT_NE(first.tested, find_changes(x, {.seed = 2}).tested);
}

TEST(find_changes, reports_every_test_so_that_they_can_be_corrected_together) {
  auto x = noisy(60, 10);
  EXPECT_EQ(find_changes(x).tested.size(), 1U);
  raise(x, 30, 60, 1.05);
  const auto scan = find_changes(x);
  EXPECT_EQ(scan.tested.size(), 3U) << "the whole and both sides of the change";
}

TEST(find_changes, refuses_what_is_no_number) {
  std::vector<double> x(20, 1.0);
  x[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW((void)find_changes(x), precondition_violated);
}

TEST(resamples_for, lets_a_single_discovery_pass_the_correction) {
  EXPECT_EQ(resamples_for(1, 0.05), 1999U);
  const auto many = resamples_for(300, 0.05);
  EXPECT_LE(300.0 / static_cast<double>(many + 1), 0.05);
  EXPECT_EQ(resamples_for(1'000'000, 0.05), 99'999U);
}

TEST(level_ratio_interval, covers_the_ratio_about_as_often_as_it_says) {
  int covered = 0;
  constexpr int trials = 40;
  for (int trial = 0; trial < trials; ++trial) {
    const auto before = noisy(20, 1000U + static_cast<std::uint64_t>(trial));
    auto after = noisy(20, 5000U + static_cast<std::uint64_t>(trial));
    raise(after, 0, 20, 1.03);
    if (level_ratio_interval(before, after, 0.95, 1).contains(1.03)) ++covered;
  }
  EXPECT_GE(covered, 33);
}

TEST(level_ratio_interval, is_a_point_where_nothing_varies) {
  const std::vector<double> before(5, 2.0), after(1, 3.0);
  EXPECT_EQ(level_ratio_interval(before, after, 0.95, 1), (interval{1.5, 1.5}));
}

TEST(relative_step, takes_levels_of_zero) {
  EXPECT_EQ(relative_step(0, 0), 0);
  EXPECT_TRUE(std::isinf(relative_step(0, 1)));
  EXPECT_DOUBLE_EQ(relative_step(2, 1), 0.5);
}

TEST(clipped_to_neighbours, pulls_spikes_in_and_leaves_steps) {
  auto x = noisy(40, 11);
  raise(x, 20, 40, 1.2);
  x[10] = 300;
  const auto clipped = clipped_to_neighbours(x);
  EXPECT_LT(clipped[10], 110);
  for (std::size_t i = 23; i < 40; ++i) EXPECT_GT(clipped[i], 110) << i;
}

}  // namespace
}  // namespace ridge::stats
