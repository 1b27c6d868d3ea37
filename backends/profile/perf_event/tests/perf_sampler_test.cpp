// SPDX-License-Identifier: Apache-2.0
#include "perf_sampler.hpp"

#include <algorithm>
#include <ctime>
#include <map>

#include <gtest/gtest.h>

#include <ridge/host/child_process.hpp>
#include <ridge/profile/profile_session.hpp>

namespace ridge::backends::profile_perf_event {
namespace {

// A shell that works, waits, and starts another one that works.
TEST(perf_sampler, sees_work_waits_and_children_in_the_order_of_time) {
  host::child_process child(
      host::program{.command = {"sh", "-c",
                                "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done; sleep 0.02; "
                                "sh -c 'i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done'; :"},
                    .held = true});
  auto made = make(child.id(), {.frequency_hz = 4999});
  if (!made) GTEST_SKIP() << made.why().text();
  std::vector<std::int64_t> times;
  std::map<pid_t, int> samples;
  int waits = 0;
  bool named = false;
  const profile::record_sink sink = [&](const profile::sampler_record& r) {
    if (const auto* s = std::get_if<profile::stack_seen>(&r))
      times.push_back(s->time_ns), ++samples[s->process];
    if (const auto* s = std::get_if<profile::thread_switched>(&r))
      times.push_back(s->time_ns), waits += s->out && !s->preempted;
    if (const auto* n = std::get_if<profile::thread_named>(&r))
      named |= n->by_exec && n->name == "sh" && n->process == child.id();
  };
  timespec start{}, end{};
  clock_gettime(CLOCK_MONOTONIC, &start);
  ASSERT_TRUE(child.release());
  while (!child.ended()) (*made)->drain(5, sink);
  (*made)->finish(sink);
  clock_gettime(CLOCK_MONOTONIC, &end);
  EXPECT_TRUE(named);
  EXPECT_GE(samples.size(), 2U);
  EXPECT_GT(samples[child.id()], 0);
  EXPECT_GT(waits, 0);
  EXPECT_TRUE(std::ranges::is_sorted(times));
  EXPECT_GE(times.front(), start.tv_sec * 1'000'000'000 + start.tv_nsec);
  EXPECT_LE(times.back(), end.tv_sec * 1'000'000'000 + end.tv_nsec);
}

TEST(perf_sampler, a_process_that_is_not_there_is_an_error) { EXPECT_FALSE(make(0x7ffffff0, {})); }

}  // namespace
}  // namespace ridge::backends::profile_perf_event
