// SPDX-License-Identifier: Apache-2.0
#include "verify/lone_times.hpp"

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>
#include <ridge/stats/median.hpp>

#include "verify/lone_pace.hpp"

namespace ridge::harness {
namespace {

constexpr double call_s = 100e-6, cold_s = 20e-6, switches_s = 15e-6;

// Twelve rounds of a variant whose samples take `sample_s`, the first one more.
std::vector<lone_times> honest(double sample_s, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise(0, 0.01);
  std::uniform_real_distribution<double> lot(0, 1);
  std::vector<lone_times> all;
  for (int i = 0; i < 12; ++i) {
    const double first = (sample_s + cold_s) * std::exp(noise(random)),
                 last = sample_s * std::exp(noise(random));
    const double waited = lot(random) < 0.2 ? 3e-3 : 0;  // now and then another program is in between
    all.push_back({first, last, first + last + switches_s + waited});
  }
  return all;
}

double median_s(const std::vector<lone_times>& times, const std::vector<lone_times>& of_first) {
  return stats::median(sample_seconds(times, of_first));
}

TEST(lone_times, are_those_of_samples_that_are_called_often) {
  for (std::uint64_t seed = 1; seed < 100; ++seed) {
    const auto first = honest(call_s, seed), other = honest(call_s / 2, seed + 1000);
    EXPECT_NEAR(median_s(first, first), call_s, 0.02 * call_s) << seed;
    EXPECT_NEAR(median_s(other, first), call_s / 2, 0.05 * call_s) << seed;
  }
}

TEST(lone_times, count_time_that_is_moved_to_the_last_sample) {
  const auto first = honest(call_s, 1);
  auto moved = honest(call_s, 2);
  for (auto& one : moved) one.first_s -= call_s / 3, one.last_s += call_s / 3;
  EXPECT_GT(median_s(moved, first), call_s);
}

TEST(lone_times, allow_no_more_for_a_first_variant_that_moves_time_to_its_first_sample) {
  auto first = honest(call_s, 1);
  for (auto& one : first) one.first_s += call_s / 2, one.last_s -= call_s / 2;
  EXPECT_GT(median_s(honest(call_s, 2), first), 0.97 * call_s);
}

TEST(lone_times, count_time_that_is_hidden_in_most_rounds_or_in_all) {
  const auto first = honest(call_s, 1);
  for (const std::size_t rounds : {7u, 9u, 12u}) {
    auto hidden = honest(call_s, 2);
    for (std::size_t i = 0; i < rounds; ++i) hidden[i].first_s /= 2, hidden[i].last_s /= 2;
    EXPECT_GT(median_s(hidden, first), 0.9 * call_s) << rounds;
  }
}

TEST(lone_times, count_nothing_that_was_not_waited_for) {
  const auto first = honest(call_s, 1);
  auto boasts = honest(call_s, 2);
  for (auto& one : boasts) one.first_s *= 3, one.last_s *= 3;
  EXPECT_LT(median_s(boasts, first), 1.3 * call_s);
}

TEST(lone_times, of_single_samples_are_what_they_are) {
  std::vector<lone_times> times;
  for (int i = 0; i < 5; ++i) times.push_back({call_s, 0, call_s + switches_s});
  EXPECT_DOUBLE_EQ(median_s(times, times), call_s);
  EXPECT_TRUE(sample_seconds({}, times).empty());
}

TEST(lone_times, must_be_possible) {
  const double endless = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(are_possible({1, 0, 1}, false));
  EXPECT_TRUE(are_possible({1, 1, 2}, true));
  EXPECT_FALSE(are_possible({1, 0, 1}, true)) << "the last sample is missing";
  for (const double wrong : {0.0, -1.0, endless, std::nan("")}) {
    EXPECT_FALSE(are_possible({wrong, 1, 2}, true)) << wrong;
    EXPECT_FALSE(are_possible({1, wrong, 2}, true)) << wrong;
  }
}

TEST(lone_pace, what_variants_take_beyond_the_first_one_counts_for_no_limit_but_the_last) {
  lone_pace pace(1);  // 0.05 s for rounds, 0.75 s at most
  pace.begin(100, false);
  pace.end_round(100.3, 0.295);
  EXPECT_FALSE(pace.is_out_of_reach());
  for (int i = 2; i <= 4; ++i) pace.end_round(100 + 0.3 + 0.005 * i, 0);
  EXPECT_FALSE(pace.is_over());
  pace.end_round(100.8, 0.475);
  EXPECT_TRUE(pace.is_over()) << "after 0.75 s";
}

TEST(lone_pace, starts_anew_when_rounds_begin) {
  lone_pace pace(1);
  pace.end_round(5, 4);
  pace.begin(10, false);
  pace.end_round(10.3, 0);
  EXPECT_TRUE(pace.is_out_of_reach()) << "three rounds take 0.9 s";
  EXPECT_EQ(pace.rounds(), 1u);
}

TEST(lone_pace, leaves_time_for_three_rounds) {
  lone_pace pace(1);
  pace.begin(0, false);
  for (const double now_s : {0.1, 0.2}) {
    pace.end_round(now_s, 0);
    EXPECT_FALSE(pace.is_out_of_reach() || pace.is_over()) << now_s;
  }
  pace.end_round(0.3, 0);
  EXPECT_TRUE(pace.is_over());
}

TEST(lone_pace, gives_teams_six_rounds_where_there_is_time) {
  lone_pace pace(1);  // 0.05 s for rounds, 0.75 s at most
  pace.begin(0, true);
  for (int i = 1; i <= 5; ++i) {
    pace.end_round(0.05 * i, 0);
    EXPECT_FALSE(pace.is_over()) << i;
  }
  pace.end_round(0.3, 0);
  EXPECT_TRUE(pace.is_over());

  pace.begin(10, true);
  for (int i = 1; i <= 3; ++i) pace.end_round(10 + 0.26 * i, 0);
  EXPECT_TRUE(pace.is_over()) << "after 0.75 s";
}

}  // namespace
}  // namespace ridge::harness
