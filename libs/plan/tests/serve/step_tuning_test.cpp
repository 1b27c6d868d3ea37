// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/serve/step_tuning.hpp>

#include <algorithm>

#include <gtest/gtest.h>

namespace ridge::plan::serve {
namespace {

TEST(step_tuning, tries_what_an_engine_takes) {
  const auto all = limits_to_try({.max_sequences = 1024, .max_batched_tokens = 8192}, 3000);
  EXPECT_EQ(all.front(), (step_limits{1024, 8192, true}));
  for (const auto& one : all) {
    EXPECT_GE(one.max_batched_tokens, one.max_sequences);
    EXPECT_TRUE(one.chunked_prefill || one.max_batched_tokens >= 3000U);
    EXPECT_EQ(std::ranges::count(all, one), 1);
  }
  EXPECT_TRUE(std::ranges::any_of(all, [](const auto& one) { return !one.chunked_prefill; }));
}

// Rates that grow with the sequences up to 128 and fall with the tokens of a step; more than 512 are refused.
tuned_limits made_up(const step_limits& l) {
  tuned_limits t{.limits = l};
  if (l.max_sequences > 512) t.refused = "no room";
  t.ttft_p95_s = 1e3 / l.max_batched_tokens;
  t.tpot_p95_s = 1e-6 * l.max_batched_tokens + 1e-5 * l.max_sequences;
  t.met = t.ttft_p95_s < 1.5;
  t.goodput_requests_per_s = t.met ? std::min(l.max_sequences, 128U) : 0;
  return t;
}
double made_up_rate(const step_limits& l, double floor) {
  const double rate = std::min(l.max_sequences, 128U) - 1e-3 * l.max_batched_tokens;
  return rate > floor ? rate : 0;
}

TEST(step_tuning, finds_what_brute_force_finds) {
  const auto all = limits_to_try({.max_sequences = 1024, .max_batched_tokens = 8192}, 20000);
  double greatest = 0;
  for (const auto& one : all)
    if (made_up(one).refused.empty()) greatest = std::max(greatest, made_up_rate(one, 0));
  const auto tuned = tune_steps(all, {.at_load = made_up, .max_rate = made_up_rate});
  ASSERT_TRUE(tuned.best);
  EXPECT_GE(tuned.tried[*tuned.best].max_rate, greatest * 0.99);
  EXPECT_EQ(tuned.tried.size(), all.size());
  EXPECT_FALSE(tuned.tried.front().refused.empty());
  // A closed loop has goodput alone, and ties go to the first.
  const auto closed = tune_steps(all, {.at_load = made_up});
  EXPECT_EQ(closed.tried[*closed.best].limits.max_sequences, 128U);
  EXPECT_TRUE(closed.tried[*closed.best].met);
}

TEST(step_tuning, the_frontier_has_no_one_better_in_both) {
  const auto all = limits_to_try({.max_sequences = 256, .max_batched_tokens = 2048}, 20000);
  const auto tuned = tune_steps(all, {.at_load = made_up});
  for (const auto& a : tuned.tried) {
    const bool beaten = std::ranges::any_of(tuned.tried, [&](const auto& b) {
      return b.refused.empty() && b.ttft_p95_s < a.ttft_p95_s && b.tpot_p95_s < a.tpot_p95_s;
    });
    EXPECT_FALSE(a.frontier && beaten);
  }
  EXPECT_EQ(std::ranges::count_if(tuned.tried, &tuned_limits::frontier),
            6);  // 16 sequences of each step's size
}

TEST(step_tuning, nothing_is_best_where_nothing_keeps_the_objectives) {
  const auto never = [](const step_limits& l) { return tuned_limits{.limits = l, .ttft_p95_s = 1}; };
  EXPECT_FALSE(tune_steps(limits_to_try({16, 512}, 100), {.at_load = never}).best);
}

}  // namespace
}  // namespace ridge::plan::serve
