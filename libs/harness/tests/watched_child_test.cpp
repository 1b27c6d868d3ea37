// SPDX-License-Identifier: Apache-2.0
#include "run/watched_child.hpp"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "run/shared_mark.hpp"

namespace ridge::harness {
namespace {

using stage = progress_mark::stage;

// Runs a call of `seconds` in this stage in a child that has seen one of `before_s` seconds.
child_result<std::string> called(stage at_work, double seconds, double before_s, const child_limits& limits) {
  const shared_mark mark;
  return in_watched_child(
      [&]() -> std::string {
        if (before_s > 0) mark->took(before_s);
        const variant_at_work at(&*mark, at_work, 0);
        std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
        return "ended";
      },
      limits, *mark);
}

constexpr double longest = 20;  // seconds of a call that nobody should have to wait for

TEST(watched_child, a_timed_call_may_take_twenty_times_what_was_seen) {
  const child_limits limits{.stall_s = 600, .timed_stall_s = 0.3};
  EXPECT_TRUE(called(stage::timing, 1, 0.1, limits));
  const auto hung = called(stage::timing, longest, 0.1, limits);
  EXPECT_FALSE(hung);
  EXPECT_EQ(hung.why, "did not end within 2 s");
  EXPECT_EQ(hung.failure, model::failure_kind::timed_out);
}

TEST(watched_child, a_short_call_that_is_timed_may_take_the_limit_of_timed_calls) {
  const child_limits limits{.stall_s = 600, .timed_stall_s = 1};
  EXPECT_TRUE(called(stage::timing, 0.4, 0.001, limits));
  EXPECT_EQ(called(stage::timing, longest, 0.001, limits).why, "did not end within 1 s");
  EXPECT_EQ(called(stage::recheck, longest, 0.001, limits).why, "did not end within 1 s");
}

TEST(watched_child, what_is_not_timed_or_was_never_seen_has_the_longer_limit) {
  const child_limits limits{.stall_s = 1.2, .timed_stall_s = 0.2};
  EXPECT_TRUE(called(stage::timing, 0.6, 0, limits)) << "nobody knows yet how long it takes";
  EXPECT_TRUE(called(stage::verification, 0.6, 0.001, limits));
  EXPECT_EQ(called(stage::verification, longest, 0.001, limits).why, "did not end within 1.2 s");
}

TEST(watched_child, a_limit_of_one_call_holds_whatever_was_seen) {
  const child_limits limits{.stall_s = 600, .timed_stall_s = 600, .call_s = 0.4};
  EXPECT_EQ(called(stage::timing, longest, 10, limits).why, "did not end within 0.4 s");
}

TEST(watched_child, work_between_calls_has_a_limit_of_its_own) {
  const shared_mark mark;
  const auto hung = in_watched_child(
      [&]() -> std::string {
        { const variant_at_work at(&*mark, stage::timing, 0); }
        std::this_thread::sleep_for(std::chrono::duration<double>(longest));
        return "ended";
      },
      {.timed_stall_s = 0.1, .between_calls_s = 0.6}, *mark);
  EXPECT_EQ(hung.why, "did not end within 0.6 s");
}

}  // namespace
}  // namespace ridge::harness
