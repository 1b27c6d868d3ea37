// SPDX-License-Identifier: Apache-2.0
#include "sampling/ceiling_watch.hpp"

#include <gtest/gtest.h>

namespace ridge::harness {
namespace {

// A gauge that costs a second of a clock of its own and gives one rate after the other.
struct bench {
  double now_s = 0;
  int readings = 0;
  std::vector<double> rates{5};
  ceiling_gauge gauge = [this](std::string_view, host::team*) {
    now_s += 1;
    return rates[static_cast<std::size_t>(readings++) % rates.size()];
  };
  ceiling_watch watch{gauge, [this] { return now_s; }};

  void samples(int count, double seconds_each) {
    for (int i = 0; i < count; ++i) {
      now_s += seconds_each;
      watch.sampled(0);
    }
  }
};

TEST(ceiling_watch, is_the_median_of_the_readings) {
  bench b{.rates = {99, 1, 2, 3, 4, 5, 6, 7}};  // 99 is the first, dropped
  b.watch.watch(0, "cpu.triad", nullptr);
  b.samples(7, 1000);
  EXPECT_EQ(b.readings, 8);
  EXPECT_EQ(b.watch.reading(0).rate, 4);
}

TEST(ceiling_watch, knows_nothing_from_fewer_than_six_readings_or_of_an_arm_not_watched) {
  bench b;
  b.watch.watch(0, "cpu.triad", nullptr);
  b.samples(5, 1000);
  EXPECT_EQ(b.watch.reading(0).rate, 0);
  b.samples(1, 1000);
  EXPECT_EQ(b.watch.reading(0).rate, 5);
  EXPECT_EQ(b.watch.reading(1).rate, 0);
}

TEST(ceiling_watch, drops_disturbed_readings) {
  bench b{.rates = {0, 8}};
  b.watch.watch(0, "cpu.triad", nullptr);
  b.samples(12, 1000);
  EXPECT_EQ(b.watch.reading(0).rate, 8);  // 4 if zeros counted
}

TEST(ceiling_watch, costs_three_percent_of_the_session_at_most) {
  bench b;
  b.watch.watch(0, "cpu.triad", nullptr);
  b.readings = 0;
  b.now_s = 1;
  b.samples(1000, 1);
  EXPECT_LE(b.readings, 1 + 0.03 * b.now_s);
  EXPECT_GE(b.readings, 0.02 * b.now_s);
}

TEST(ceiling_watch, forgets_the_warm_up) {
  bench b;
  b.watch.watch(0, "cpu.triad", nullptr);
  b.samples(8, 1000);
  b.watch.restart();
  EXPECT_EQ(b.watch.reading(0).rate, 0);
}

TEST(ceiling_watch, without_a_gauge_knows_nothing) {
  const ceiling_gauge none;
  ceiling_watch watch(none, [] { return 0.0; });
  watch.watch(0, "cpu.triad", nullptr);
  watch.sampled(0);
  EXPECT_EQ(watch.reading(0).rate, 0);
}

TEST(ceiling_watch, a_calm_reading_has_an_interval_and_nothing_disturbed_it) {
  bench b{.rates = {99, 100, 101, 102, 103, 104, 105, 106, 107}};
  b.watch.watch(0, "cpu.triad", nullptr);
  b.samples(8, 1000);
  const auto seen = b.watch.reading(0);
  EXPECT_LE(seen.ci.lo, seen.rate);
  EXPECT_GE(seen.ci.hi, seen.rate);
  EXPECT_EQ(seen.disturbed, "");
}

TEST(ceiling_watch, reads_once_more_for_a_moment_and_leaves_its_readings_alone) {
  bench b{.rates = {99, 1, 1, 1, 1, 1, 1, 1, 7}};
  b.gauge = [&](std::string_view, host::team*) {
    b.now_s += 1e-3;
    return b.rates[static_cast<std::size_t>(std::min(b.readings++, 8))];
  };
  b.watch.watch(0, "cpu.triad", nullptr);
  b.samples(7, 1000);
  EXPECT_EQ(b.watch.read_again(0).rate, 7);
  EXPECT_EQ(b.readings, 8 + 24);
  EXPECT_EQ(b.watch.reading(0).rate, 1);
  EXPECT_EQ(b.watch.read_again(1).rate, 0);
}

TEST(ceiling_watch, a_slow_gauge_is_read_once_more_for_a_tenth_of_a_second_at_most) {
  bench b;
  b.watch.watch(0, "cpu.triad", nullptr);
  EXPECT_EQ(b.watch.read_again(0).rate, 0) << "one reading says nothing";
  EXPECT_EQ(b.readings, 2);
}

TEST(ceiling_watch, says_when_readings_were_lost_or_moved) {
  bench lost{.rates = {99, 100, 100, 0}};
  lost.watch.watch(0, "cpu.triad", nullptr);
  lost.samples(16, 1000);
  EXPECT_EQ(lost.watch.reading(0).rate, 100);
  EXPECT_EQ(lost.watch.reading(0).disturbed, "");  // a quarter of them
  bench often{.rates = {99, 100, 0}};
  often.watch.watch(0, "cpu.triad", nullptr);
  often.samples(18, 1000);
  EXPECT_NE(often.watch.reading(0).disturbed.find("6 of 18"), std::string::npos)
      << often.watch.reading(0).disturbed;
  bench moved{.rates = {60, 100}};
  moved.watch.watch(0, "cpu.triad", nullptr);
  moved.samples(16, 1000);
  EXPECT_NE(moved.watch.reading(0).disturbed.find("differ by"), std::string::npos);
}

TEST(ceiling_watch, readings_whose_quartiles_lie_within_a_tenth_are_calm) {
  bench calm{.rates = {96, 96, 104, 104}};
  calm.watch.watch(0, "cpu.triad", nullptr);
  calm.samples(16, 1000);
  EXPECT_EQ(calm.watch.reading(0).disturbed, "");
  bench moved{.rates = {94, 94, 106, 106}};
  moved.watch.watch(0, "cpu.triad", nullptr);
  moved.samples(16, 1000);
  EXPECT_EQ(moved.watch.reading(0).disturbed, "its readings differ by 12 %");
}

}  // namespace
}  // namespace ridge::harness
