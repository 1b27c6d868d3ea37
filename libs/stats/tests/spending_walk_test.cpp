// SPDX-License-Identifier: Apache-2.0
#include <ridge/stats/spending_walk.hpp>

#include <bit>
#include <cstdint>
#include <ctime>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <ridge/base/error.hpp>
#include <ridge/stats/order_interval.hpp>
#include <ridge/stats/special.hpp>

namespace ridge::stats {
namespace {

using schedule = std::vector<std::pair<std::size_t, double>>;

std::vector<look> looks(const schedule& plan, double alpha = 0.05) {
  spending_walk walk(alpha);
  std::vector<look> result;
  for (const auto& [n, fraction] : plan) result.push_back(walk.step(n, fraction));
  return result;
}

schedule even(std::size_t count, std::size_t each) {
  schedule plan;
  for (std::size_t i = 1; i <= count; ++i)
    plan.emplace_back(i * each, static_cast<double>(i) / static_cast<double>(count));
  return plan;
}

std::size_t heads(std::mt19937_64& random, std::size_t tosses) {
  std::size_t sum = 0;
  for (; tosses >= 64; tosses -= 64) sum += static_cast<std::size_t>(std::popcount(random()));
  return sum + static_cast<std::size_t>(std::popcount(random() & ((std::uint64_t{1} << tosses) - 1)));
}

// Trials of a fair walk in which some look's interval excludes the true median.
std::size_t false_alarms(const schedule& plan, std::size_t trials, std::uint64_t seed) {
  const auto ranks = looks(plan);
  std::mt19937_64 random(seed);
  std::size_t alarms = 0;
  for (std::size_t trial = 0; trial < trials; ++trial) {
    std::size_t n = 0;
    std::size_t above = 0;
    bool excluded = false;
    for (std::size_t i = 0; i < plan.size(); ++i) {
      above += heads(random, plan[i].first - n);
      n = plan[i].first;
      excluded = excluded || above < ranks[i].rank || n - above < ranks[i].rank;
    }
    alarms += excluded ? 1 : 0;
  }
  return alarms;
}

// The most alarms a test of this error probability shows in 99.9 % of experiments.
std::size_t bound(std::size_t trials, double probability) {
  std::size_t k = 0;
  while (binomial_cdf(k, trials, probability) < 0.999) k += 1;
  return k;
}

TEST(obrien_fleming, spends_as_published) {
  EXPECT_NEAR(obrien_fleming(0.05, 1.0 / 8), 3.0e-8, 1e-9);
  EXPECT_NEAR(obrien_fleming(0.05, 2.0 / 8), 8.9e-5, 1e-6);
  EXPECT_NEAR(obrien_fleming(0.05, 4.0 / 8), 0.0056, 5e-5);
  EXPECT_NEAR(obrien_fleming(0.05, 7.0 / 8), 0.0361, 5e-5);
  EXPECT_EQ(obrien_fleming(0.01, 1), 0.01);
  EXPECT_EQ(obrien_fleming(0.05, 0), 0);
}

TEST(spending_walk, a_single_look_is_the_sign_test) {
  for (const std::size_t n : {5u, 6u, 12u, 101u, 5000u}) {
    const auto only = looks({{n, 1.0}}).front();
    EXPECT_EQ(only.rank, sign_rank(n, 0.05)) << n;
    EXPECT_NEAR(only.level, rank_confidence(n, only.rank), 1e-12);
    if (only.rank > 0) {
      EXPECT_NEAR(only.spent, 1 - only.level, 1e-10);
    }
  }
}

// Every path of signs, counted: the crossing probability is a fraction of 2^n without rounding.
TEST(spending_walk, spends_what_enumeration_of_all_walks_says) {
  const schedule plan{{8, 0.6}, {11, 0.75}, {16, 1.0}};
  const auto found = looks(plan, 0.2);
  std::size_t crossing = 0;
  for (std::uint32_t path = 0; path < (1u << 16); ++path) {
    bool excluded = false;
    for (std::size_t i = 0; i < plan.size(); ++i) {
      const auto n = plan[i].first;
      const auto above = static_cast<std::size_t>(std::popcount(path & ((1u << n) - 1)));
      excluded = excluded || above < found[i].rank || n - above < found[i].rank;
    }
    crossing += excluded ? 1 : 0;
  }
  EXPECT_GT(found.front().rank, 0u);
  EXPECT_NEAR(found.back().spent, static_cast<double>(crossing) / 65536, 1e-14);
}

TEST(spending_walk, error_stays_below_alpha_for_any_schedule) {
  const std::vector<schedule> plans{even(8, 5),
                                    even(8, 40),
                                    even(30, 12),
                                    {{1, 0.01}, {2, 0.3}, {3, 0.31}, {50, 0.9}, {50, 0.95}, {51, 1.0}},
                                    {{400, 0.2}, {401, 0.99}, {402, 1.0}, {900, 1.0}, {2000, 2.5}}};
  for (std::size_t i = 0; i < plans.size(); ++i) {
    EXPECT_LE(false_alarms(plans[i], 20'000, 100 + i), bound(20'000, 0.05)) << i;
  }
}

TEST(spending_walk, alarms_are_as_frequent_as_spent_says) {
  const auto plan = even(8, 50);
  const double spent = looks(plan).back().spent;
  const auto alarms = false_alarms(plan, 20'000, 5);
  EXPECT_LE(alarms, bound(20'000, spent));
  EXPECT_LE(20'000 - alarms, bound(20'000, 1 - spent));
}

// What the last look leaves is less than one more pair of ranks would cost; that falls as 1/√n.
TEST(spending_walk, little_is_left_unspent_at_the_last_look) {
  double sum = 0;
  for (std::size_t each = 5; each < 125; ++each) {
    const auto last = looks(even(8, each)).back();
    EXPECT_GT(last.spent, each < 50 ? 0.032 : 0.044) << each;
    EXPECT_LE(last.spent, 0.05) << each;
    EXPECT_GT(1 - last.level, 0.0186) << each;  // against 0.0139 by the union bound
    sum += last.spent;
  }
  EXPECT_GT(sum / 120, 0.045);
  EXPECT_GT(looks(even(8, 1000)).back().spent, 0.046);
}

TEST(spending_walk, nothing_is_given_before_it_can_be_paid_for) {
  const auto found = looks({{4, 0.1}, {20, 0.2}, {1000, 0.2}});
  EXPECT_EQ(found[0].rank, 0u);
  EXPECT_EQ(found[0].level, 1);
  EXPECT_LE(found[2].spent, obrien_fleming(0.05, 0.2));
}

TEST(spending_walk, a_new_walk_pays_only_with_what_the_old_one_left) {
  spending_walk old(0.05);
  const auto before = old.step(400, 0.9);
  spending_walk blocked(0.05, before.spent);
  const auto after = blocked.step(80, 1.0);
  EXPECT_LE(after.spent, 0.05);
  EXPECT_EQ(after.rank, sign_rank(80, 0.05 - before.spent));
}

TEST(spending_walk, refuses_time_running_backwards) {
  spending_walk walk;
  walk.step(10, 0.5);
  EXPECT_THROW(walk.step(9, 0.6), precondition_violated);
  EXPECT_THROW(walk.step(12, 0.4), precondition_violated);
}

TEST(spending_walk, thirty_looks_at_fifty_thousand_are_quick) {
  const auto start = std::clock();
  const auto last = looks(even(30, 1667)).back();
  const auto cpu_s = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  EXPECT_GT(last.spent, 0.049);
  EXPECT_LT(cpu_s, 1.0);  // 2 ms measured; a sanitized build passes too
}

}  // namespace
}  // namespace ridge::stats
