// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/interference_reader.hpp>

#include <algorithm>
#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include <ridge/host/pages.hpp>

#include "fixture_tree.hpp"

namespace ridge::host {
namespace {

TEST(proc_stat, steal_is_the_eighth_number_of_the_first_line) {
  EXPECT_EQ(parse_steal_ticks("cpu  10 20 30 40 50 60 70 81 90 0\ncpu0 1 2 3 4 5 6 7 8 9 0\n"), 81);
  EXPECT_EQ(parse_steal_ticks("cpu  10 20 30 40\n"), 0);
  EXPECT_EQ(parse_steal_ticks("cpu0 1 2 3 4 5 6 7 8 9 0\n"), 0);
  EXPECT_EQ(parse_steal_ticks("cpu  1 2 3 4 5 6 7 many\n"), 0);
  EXPECT_EQ(parse_steal_ticks(""), 0);
}

TEST(cpu_stat, throttled_periods_of_both_versions) {
  EXPECT_EQ(parse_throttled_periods("nr_periods 12\nnr_throttled 5\nthrottled_time 9\n"), 5);
  EXPECT_EQ(parse_throttled_periods("usage_usec 1\nnr_throttled 7\nthrottled_usec 9\n"), 7);
  EXPECT_EQ(parse_throttled_periods("nr_throttled_things 7\n"), 0);
}

TEST(interference_reader, system_counts_are_read_anew_after_ten_milliseconds) {
  const fixture_tree tree;
  tree.write("proc/self/cgroup", "0::/\n");
  tree.write("proc/stat", "cpu  0 0 0 0 0 0 0 100 0 0");
  tree.write("sys/fs/cgroup/cpu.stat", "nr_throttled 3");
  interference_reader reader(tree.root());
  const auto before = reader.read();
  tree.write("proc/stat", "cpu  0 0 0 0 0 0 0 250 0 0");
  tree.write("sys/fs/cgroup/cpu.stat", "nr_throttled 4");
  std::this_thread::sleep_for(std::chrono::milliseconds(11));
  const auto after = reader.read();
  EXPECT_DOUBLE_EQ(after.steal_s - before.steal_s, 1.5);
  EXPECT_EQ(after.throttled_periods - before.throttled_periods, 1);
}

TEST(interference_reader, faults_and_sleep_are_counted) {
  interference_reader reader;
  const auto before = reader.read();
  const region touched(1 << 20);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const auto after = reader.read();
  EXPECT_GE(after.minor_faults - before.minor_faults, 256);
  EXPECT_GE(after.voluntary_switches - before.voluntary_switches, 1);
  EXPECT_GE(after.wall_ns - before.wall_ns, 5'000'000);
  EXPECT_LT(after.cpu_ns - before.cpu_ns, after.wall_ns - before.wall_ns);
}

}  // namespace
}  // namespace ridge::host
