// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/session.hpp>

#include <cmath>

#include <gtest/gtest.h>
#include <ridge/harness/verdict.hpp>

#include "simulated_arms.hpp"

namespace ridge::harness {
namespace {

using model::verdict;
const std::vector<model::better> lower{model::better::lower};

session_record run(simulated_arms& arms, protocol p, const std::vector<pairing>& pairs) {
  return measure(arms, p, pairs, lower, {}, simulated_arms::now);
}

TEST(judge, follows_the_interval) {
  EXPECT_EQ(judge({1.02, 1.05}, 0.01), verdict::better);
  EXPECT_EQ(judge({0.5, 0.98}, 0.01), verdict::worse);
  EXPECT_EQ(judge({0.995, 1.009}, 0.01), verdict::equivalent);
  EXPECT_EQ(judge({1.004, 1.015}, 0.01), verdict::different_but_small);
  EXPECT_EQ(judge({1.005, 1.30}, 0.01), verdict::inconclusive);
  EXPECT_EQ(judge({0.9, 1.2}, 0.01), verdict::inconclusive);
}

TEST(session, finds_a_faster_arm_and_its_ratio) {
  simulated_arms arms({noisy(10e-6, 0.02), noisy(8e-6, 0.02)}, 1);
  const auto r = run(arms, {.seed = 3}, {{0, 1}});
  EXPECT_EQ(r.results[0].verdict, verdict::better);
  EXPECT_TRUE(r.results[0].estimate.ci.contains(1.25));
  EXPECT_LT(r.wall_s, 0.5) << "a clear case ends early";
  EXPECT_EQ(r.arms[0].iterations, r.arms[1].iterations) << "one shared count";
}

TEST(session, interruptions_do_not_move_the_estimate) {
  simulated_arms arms({noisy(10e-6, 0.01, 4e-3, 20), noisy(10e-6, 0.01, 4e-3, 20)}, 7);
  const auto r = run(arms, {.seed = 5}, {{0, 1}});
  EXPECT_EQ(r.results[0].verdict, verdict::equivalent);
}

// 2000 A/A sessions with heavy noise; the number whose interval excludes 1 must not exceed the 99.9 % bound
// of 5 %.
TEST(session, identical_arms_are_told_apart_no_more_often_than_promised) {
  int excluded = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    simulated_arms arms({noisy(50e-6, 0.3), noisy(50e-6, 0.3)}, seed);
    const auto r =
        run(arms, {.budget_s = 0.02, .warm_up_min_s = 0, .warm_up_max_s = 0, .seed = seed * 11}, {{0, 1}});
    if (!r.results[0].estimate.ci.contains(1)) ++excluded;
  }
  EXPECT_LE(excluded, 132);
  EXPECT_GE(excluded, 20) << "an interval that never errs is too wide";
}

TEST(session, a_drifting_machine_does_not_make_a_verdict) {
  int excluded = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const auto drifting = [](std::mt19937_64& random, std::uint64_t round) {
      std::normal_distribution<double> normal(0, 0.01);
      return 50e-6 * (1 + 0.002 * static_cast<double>(round)) * std::exp(normal(random));
    };
    simulated_arms arms({drifting, drifting}, seed);
    const auto r = run(arms, {.budget_s = 0.02, .seed = seed * 13}, {{0, 1}});
    if (!r.results[0].estimate.ci.contains(1)) ++excluded;
  }
  EXPECT_LE(excluded, 35);
}

// Neighbours that depend on each other: the interval comes from medians of blocks, and so does the ratio.
TEST(session, the_ratio_lies_in_its_interval) {
  int blocked = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const auto slow_waves = [](double seconds) {
      return [seconds](std::mt19937_64& random, std::uint64_t round) {
        std::normal_distribution<double> normal(0, 0.05);
        return seconds * (1 + 0.3 * std::sin(static_cast<double>(round) / 9)) * std::exp(normal(random));
      };
    };
    simulated_arms arms({noisy(50e-6, 0.2), slow_waves(45e-6)}, seed);
    const auto r = run(arms, {.budget_s = 0.03, .warm_up_max_s = 0, .seed = seed * 7}, {{0, 1}});
    const auto& e = r.results[0].estimate;
    EXPECT_TRUE(e.ci.contains(e.ratio))
        << e.ratio << " [" << e.ci.lo << ", " << e.ci.hi << "], seed " << seed;
    blocked += e.block_length > 1 ? 1 : 0;
  }
  EXPECT_GT(blocked, 20) << "no session had dependent neighbours: nothing was shown";
}

// Every ratio that a session prints lies in the interval beside it, for arms of every kind and sessions of
// every length.
TEST(session, every_ratio_lies_in_its_interval) {
  std::mt19937_64 lots(5);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    std::vector<simulated_arms::time_of_call> arms;
    for (int arm = 0; arm < 3; ++arm) {
      const double seconds = 50e-6 * std::exp(uniform(lots)), noise = 0.5 * uniform(lots);
      arms.push_back(noisy(seconds, noise, 1e-3 * uniform(lots), 1 + 30 * uniform(lots)));
    }
    simulated_arms all(arms, seed);
    all.loops = seed % 3 != 0;
    const auto r = run(all, {.budget_s = 1e-3 + 0.05 * uniform(lots), .warm_up_max_s = 0, .seed = seed * 5},
                       {{0, 1}, {0, 2}, {1, 2, false}});
    for (const auto& result : r.results) {
      const auto& e = result.estimate;
      EXPECT_TRUE(e.ci.contains(e.ratio))
          << e.ratio << " [" << e.ci.lo << ", " << e.ci.hi << "], seed " << seed;
    }
    EXPECT_TRUE(r.repeatability.ci.contains(r.repeatability.ratio)) << seed;
  }
}

TEST(session, neither_better_nor_worse_is_said_within_the_noise_floor) {
  using enum verdict;
  EXPECT_EQ(above_noise(better, 1.05, {0.98, 1.02}), better);
  EXPECT_EQ(above_noise(better, 1.05, {0.90, 1.02}), inconclusive);
  EXPECT_EQ(above_noise(worse, 0.95, {0.98, 1.02}), worse);
  EXPECT_EQ(above_noise(worse, 0.95, {0.98, 1.10}), inconclusive);
  EXPECT_EQ(above_noise(equivalent, 1.001, {0.5, 2}), equivalent);
  EXPECT_EQ(above_noise(better, 2, {0, std::numeric_limits<double>::infinity()}), better);
  // 881 % of noise, as it was once printed beside BETTER.
  EXPECT_EQ(above_noise(better, 5, {0.9, 9.81}), inconclusive);
}

// The baseline falls from one state into another in every second round: a ratio that is clear by its interval
// says no more than what the baseline does by itself.
TEST(session, a_baseline_that_differs_from_itself_by_more_than_the_gain_gives_no_verdict) {
  const auto two_states = [](std::mt19937_64& random, std::uint64_t round) {
    std::normal_distribution<double> normal(0, 0.001);
    return 50e-6 * (round % 2 == 0 ? 1.0 : 1.6) * std::exp(normal(random));
  };
  simulated_arms arms({two_states, noisy(45e-6, 0.001)}, 3);
  const auto r = run(arms, {.budget_s = 0.03, .warm_up_max_s = 0, .seed = 9}, {{0, 1}});
  const auto& e = r.results[0].estimate;
  EXPECT_EQ(judge(e.ci, 0.01), verdict::better) << "[" << e.ci.lo << ", " << e.ci.hi << "]";
  EXPECT_EQ(r.results[0].verdict, verdict::inconclusive)
      << e.ratio << " beside [" << r.repeatability.ci.lo << ", " << r.repeatability.ci.hi << "]";
}

// All arms follow themselves and each other equally often: an arm is fast after itself and slow after others.
TEST(session, identical_arms_with_a_state_of_their_own_are_not_told_apart) {
  int excluded = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    std::size_t last = 0;
    const auto warm_after_itself = [&last](std::size_t own) {
      return [own, &last](std::mt19937_64& random, std::uint64_t) {
        std::normal_distribution<double> normal(0, 0.005);
        const double seconds = last == own ? 50e-6 : 51.5e-6;
        last = own;
        return seconds * std::exp(normal(random));
      };
    };
    simulated_arms arms({warm_after_itself(0), warm_after_itself(1)}, seed);
    const auto r = run(arms, {.budget_s = 0.02, .warm_up_max_s = 0, .seed = seed * 19}, {{0, 1}});
    if (!r.results[0].estimate.ci.contains(1)) ++excluded;
  }
  EXPECT_LE(excluded, 35);
}

// A metric that is 0 has no logarithm, and a pairing without ratios has no verdict.
TEST(session, a_metric_of_zero_gives_no_verdict) {
  simulated_arms arms({[](std::mt19937_64&, std::uint64_t) { return 0.0; }, noisy(50e-6, 0.01)}, 1);
  arms.loops = false;
  const auto r = run(arms, {.budget_s = 0.01, .warm_up_max_s = 0}, {{0, 1}});
  EXPECT_EQ(r.results[0].verdict, verdict::inconclusive);
  EXPECT_EQ(r.results[0].estimate.pairs, 0u);
}

TEST(session, long_calls_still_get_enough_pairs_for_an_interval) {
  simulated_arms arms({noisy(2.0, 0.001), noisy(1.0, 0.001)}, 1);
  arms.loops = false;
  const auto r = run(arms, {.budget_s = 1.0, .warm_up_max_s = 0}, {{0, 1}});
  EXPECT_EQ(r.arms[0].iterations, 1u);
  EXPECT_GE(r.results[0].estimate.pairs, 6u);
  EXPECT_TRUE(r.results[0].estimate.ci.contains(2.0));
}

TEST(session, many_arms_are_corrected_as_one_family) {
  int any = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    std::vector<simulated_arms::time_of_call> all(6, noisy(50e-6, 0.3));
    simulated_arms arms(all, seed);
    const auto r = run(arms, {.budget_s = 0.05, .warm_up_max_s = 0, .seed = seed * 17},
                       {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}});
    bool excluded = false;
    for (const auto& result : r.results) excluded = excluded || !result.estimate.ci.contains(1);
    any += excluded ? 1 : 0;
  }
  EXPECT_LE(any, 35) << "99.9 % bound of 5 %";
}

TEST(session, an_arm_far_behind_leaves_the_rotation) {
  simulated_arms arms({noisy(50e-6, 0.01), noisy(5e-3, 0.01), noisy(50.3e-6, 0.05)}, 1);
  const auto r =
      run(arms, {.budget_s = 2.0, .min_effect = 0.001, .target_half_width = 0.0001}, {{0, 1}, {0, 2}});
  EXPECT_LT(r.arms[1].seconds.size() * 2, r.arms[2].seconds.size());
  EXPECT_EQ(r.results[0].verdict, verdict::worse);
}

TEST(session, the_watch_can_stop_and_keeps_what_there_is) {
  simulated_arms arms({noisy(50e-6, 0.2), noisy(50e-6, 0.2)}, 1);
  int looks = 0;
  const auto r = measure(
      arms, {.budget_s = 10}, {{0, 1}}, lower, [&](const session_progress&) { return ++looks < 3; },
      simulated_arms::now);
  EXPECT_EQ(r.looks, 3);
  EXPECT_GT(r.rounds, 0u);
}

}  // namespace
}  // namespace ridge::harness
