// SPDX-License-Identifier: Apache-2.0
#include "os/observed.hpp"

#include <string>

#include <gtest/gtest.h>

#include "tests/steady.hpp"

namespace ridge::backends::probe_host {
namespace {

// 1, 2 ... n, times a nanosecond, out of order.
std::vector<double> ladder(int n) {
  std::vector<double> x;
  for (int i = 0; i < n; ++i) x.push_back(1e-9 * (1 + (i * 7919) % n));
  return x;
}

double at(const model::ceiling& row, const std::string& place) {
  for (const auto& point : row.series) {
    if (point.place == place) return point.value;
  }
  return 0;
}

TEST(row_of_times, has_the_median_with_its_interval_and_the_percentiles) {
  const auto row = row_of_times("os.x", "x", {ladder(2000), ladder(2000)}, "v");
  EXPECT_NEAR(row.value, 1000.5e-9, 1e-15);
  EXPECT_LT(row.ci.lo, row.value);
  EXPECT_GT(row.ci.hi, row.value);
  EXPECT_LT(row.ci.hi - row.ci.lo, 100e-9);
  EXPECT_NEAR(at(row, "p50"), 1000.5e-9, 1e-15);
  EXPECT_NEAR(at(row, "p90"), 1800.1e-9, 1e-15);
  EXPECT_NEAR(at(row, "p99"), 1980.01e-9, 1e-15);
  EXPECT_NEAR(at(row, "p99.9"), 1998.001e-9, 1e-15);
  EXPECT_NEAR(at(row, "max"), 2000e-9, 1e-15);
  EXPECT_FALSE(row.disturbed);
  EXPECT_EQ(row.unit, "s");
}

TEST(row_of_times, says_no_percentile_that_few_observations_cannot_tell_from_the_worst) {
  const auto row = row_of_times("os.x", "x", {ladder(50), ladder(50)}, "v");
  EXPECT_EQ(at(row, "p99"), 0);
  EXPECT_EQ(at(row, "p99.9"), 0);
  EXPECT_GT(at(row, "p90"), 0);
  EXPECT_GT(at(row, "max"), 0);
}

TEST(row_of_times, keeps_disturbed_ones_out_of_the_value_and_in_the_tail) {
  auto all = ladder(100);
  for (int i = 0; i < 150; ++i) all.push_back(1);
  const auto row = row_of_times("os.x", "x", {ladder(100), all}, "v");
  EXPECT_NEAR(row.value, 50.5e-9, 1e-15);
  EXPECT_EQ(at(row, "p90"), 1);
  EXPECT_EQ(row.note, "");
}

TEST(row_of_times, a_machine_without_calm_is_said) {
  const auto row = row_of_times("os.x", "x", {ladder(5), ladder(11)}, "v");
  EXPECT_NEAR(row.value, 6e-9, 1e-15);
  EXPECT_TRUE(row.disturbed);
  EXPECT_NE(row.note.find("5 of 11"), std::string::npos);
}

TEST(observe, takes_six_where_there_is_no_time_and_no_more_than_the_most) {
  const steady clock;
  int calls = 0;
  const auto once = [&] { return 1e-6 * ++calls; };
  EXPECT_GE(observe(clock, {0, 0, 1000}, gives_way::no, once).all.size(), 6u);
  EXPECT_EQ(observe(clock, {1, 0, 40}, gives_way::no, once).all.size(), 40u);
}

TEST(observe_calls, makes_so_many_at_once_that_the_clock_does_not_count) {
  const steady clock;
  static int made = 0;
  batch calls{[](int n) {
    for (int i = 0; i < n; ++i) asm volatile("" : "+r"(made));
    made += n;
  }};
  const auto found = observe_calls(clock, {1e-3}, gives_way::no, calls);
  EXPECT_GE(calls.each, 64);
  EXPECT_GE(made, calls.each * static_cast<int>(found.all.size()));
}

}  // namespace
}  // namespace ridge::backends::probe_host
