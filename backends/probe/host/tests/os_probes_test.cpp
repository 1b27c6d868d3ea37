// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <csignal>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include <ridge/base/error.hpp>

#include "os/os_lists.hpp"
#include "os/partner.hpp"
#include "os/turn.hpp"
#include "tests/small_request.hpp"

namespace ridge::backends::probe_host {
namespace {

struct limits {
  double lo, hi;
};

// The limits are wide: they hold on loaded and virtual machines and on processors of any decade.
void expect_within(const rows& found, limits within) {
  ASSERT_FALSE(found.empty());
  for (const auto& row : found) {
    EXPECT_GT(row.value, within.lo) << row.id;
    EXPECT_LT(row.value, within.hi) << row.id;
    EXPECT_TRUE(row.ci.contains(row.value)) << row.id;
    EXPECT_TRUE(std::ranges::is_sorted(row.series, {}, &model::ceiling_point::value)) << row.id;
    EXPECT_EQ(row.series.back().place, "max") << row.id;
  }
}

TEST(os_probes, calls_take_what_calls_take) {
  const small_request ask;
  const nothing_left behind;
  expect_within(probe_syscall(ask.request), {20e-9, 20e-6});
  expect_within(probe_clocks(ask.request), {1e-9, 5e-6});
  expect_within(probe_yield(ask.request), {20e-9, 50e-3});
  expect_within(probe_signal(ask.request), {100e-9, 100e-6});
  EXPECT_TRUE(behind.holds());
}

TEST(os_probes, a_handler_of_the_program_stays) {
  const int number = SIGRTMIN + 7;
  struct sigaction mine {};
  mine.sa_handler = SIG_IGN;
  struct sigaction before {};
  ASSERT_EQ(sigaction(number, &mine, &before), 0);
  (void)probe_signal(small_request{}.request);
  struct sigaction after {};
  ASSERT_EQ(sigaction(number, &before, &after), 0);
  EXPECT_EQ(after.sa_handler, SIG_IGN);
}

TEST(os_probes, threads_wake_and_switch_at_every_distance_there_is) {
  const small_request ask;
  const nothing_left behind;
  const auto pairs = cpu_pairs(this_machine());
  expect_within(probe_wake(ask.request, pairs), {5e-9, 50e-3});
  const auto switches = probe_switch(ask.request, pairs);
  expect_within(switches, {100e-9, 50e-3});
  EXPECT_EQ(switches.size(), 2 * pairs.size());
  EXPECT_TRUE(behind.holds());
}

TEST(os_probes, memory_and_processes_come_and_go) {
  const small_request ask;
  const nothing_left behind;
  expect_within(probe_fault(ask.request), {20e-9, 1e-3});
  expect_within(probe_mmap(ask.request), {50e-9, 1e-3});
  expect_within(probe_mprotect(ask.request), {50e-9, 1e-3});
  expect_within(probe_thread(ask.request), {1e-6, 0.1});
  expect_within(probe_fork(ask.request), {10e-6, 0.5});
  expect_within(probe_exec(ask.request), {50e-6, 1});
  EXPECT_TRUE(behind.holds());
}

TEST(os_probes, fresh_blocks_cost_more_than_the_one_just_given_back) {
  const auto found = probe_malloc(small_request{}.request);
  expect_within(found, {1e-9, 1});
  const auto value = [&](std::string_view id) {
    return std::ranges::find(found, id, &model::ceiling::id)->value;
  };
  EXPECT_GT(value("os.malloc.64kib.fresh"), 2 * value("os.malloc.64kib"));
  EXPECT_GT(value("os.malloc.1mib.fresh"), 2 * value("os.malloc.1mib"));
}

TEST(os_probes, sleeping_and_noise_are_longer_than_nothing) {
  const small_request ask;
  const nothing_left behind;
  expect_within(probe_sleep(ask.request), {0, 0.1});
  expect_within(probe_noise(ask.request), {1e-9, 1});
  EXPECT_TRUE(behind.holds());
}

TEST(cpu_pairs, are_what_the_machine_has) {
  host::topology machine{.allowed = {0, 1, 2, 3},
                         .cores = {{0, 0, {0, 2}}, {0, 1, {1, 3}}},
                         .nodes = {{0, {0, 2}}, {1, {1, 3}}}};
  const auto pairs = cpu_pairs(machine);
  ASSERT_EQ(pairs.size(), 4u);
  EXPECT_EQ(pairs[0].name, "same_cpu");
  EXPECT_FALSE(pairs[0].apart());
  EXPECT_EQ(pairs[1].name, "sibling");
  EXPECT_EQ(pairs[1].first, 1);
  EXPECT_EQ(pairs[1].second, 3);
  EXPECT_EQ(pairs[2].name, "other_core");
  EXPECT_EQ(pairs[3].name, "other_node");
  EXPECT_EQ(pair_apart(machine).name, "other_core");
  machine = {.allowed = {5}, .cores = {{0, 5, {5}}}, .nodes = {{0, {5}}}};
  EXPECT_EQ(cpu_pairs(machine).size(), 1u);
  EXPECT_FALSE(pair_apart(machine).apart());
}

TEST(partner, what_ends_it_is_told_to_who_waits) {
  std::atomic<bool> roused{false};
  partner other(
      this_machine().allowed.front(), [](const std::stop_token&) { throw std::runtime_error("gone"); },
      [&] { roused = true; });
  while (!roused) std::this_thread::yield();
  EXPECT_THROW(other.lost(), std::runtime_error);
}

TEST(partner, one_that_cannot_be_pinned_is_lost_and_not_waited_for_longer) {
  turn whose;
  partner other(
      8000, [](const std::stop_token&) {}, [&] { whose.give(7); });
  EXPECT_TRUE(whose.sleep_until(7));
  EXPECT_THROW(other.lost(), unavailable);
}

TEST(turn, waiting_ends_without_the_other_and_when_a_stop_is_asked_for) {
  turn whose;
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(whose.sleep_until(1, stop.get_token()));
  EXPECT_FALSE(whose.spin_until(1, stop.get_token()));
}

TEST(watchdog, barks_once_the_time_is_over_and_not_before) {
  std::atomic<int> barked{0};
  {
    const watchdog quiet(60, [&] { ++barked; });
  }
  EXPECT_EQ(barked, 0);
  const watchdog loud(1e-3, [&] { ++barked; });
  while (barked == 0) std::this_thread::yield();
  EXPECT_EQ(barked, 1);
}

}  // namespace
}  // namespace ridge::backends::probe_host
