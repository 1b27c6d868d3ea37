// SPDX-License-Identifier: Apache-2.0
#include <ridge/probe/activity.hpp>

#include <array>

#include <gtest/gtest.h>

#include "../../host/tests/fixture_tree.hpp"

namespace ridge::probe {
namespace {

constexpr std::array cpus{1, 3};

TEST(activity, counters_are_read_from_their_files) {
  const host::fixture_tree tree;
  tree.write("proc/stat", "cpu  10 20 30 40 5 6 7 8 100 0\ncpu0 1 1 1 1 1 1 1 1 0 0");
  tree.write("proc/self/cgroup", "0::/");
  tree.write("sys/fs/cgroup/cpu.stat", "usage_usec 5\nnr_throttled 3");
  tree.write("proc/vmstat", "pgfault 9\npswpin 4\npswpout 5");
  tree.write("proc/interrupts",
             "           CPU0       CPU1       CPU3\n  24:  1  20  300   PCI-MSI  nvme0q1\n LOC:  9  9  9   "
             "Local timer interrupts");
  const auto read = read_system_counters(tree.root(), cpus);
  EXPECT_EQ(read.steal_ticks, 8);
  EXPECT_EQ(read.all_ticks, 126);  // guest time, 100, lies in user time already
  EXPECT_EQ(read.throttled_periods, 3);
  EXPECT_EQ(read.swapped_pages, 9);
  ASSERT_EQ(read.interrupts.size(), 1u);
  EXPECT_EQ(read.interrupts.at("24 nvme0q1"), 320);
}

TEST(activity, of_an_empty_folder_is_nothing) {
  const host::fixture_tree tree;
  const auto read = read_system_counters(tree.root(), cpus);
  EXPECT_EQ(read.all_ticks, 0);
  const auto seen = between(read, read, 0);
  EXPECT_EQ(seen.steal_share, 0);
  EXPECT_EQ(seen.interrupts_per_s, 0);
}

TEST(activity, is_the_difference_of_two_readings) {
  const system_counters before{.steal_ticks = 10,
                               .all_ticks = 1000,
                               .throttled_periods = 1,
                               .swapped_pages = 5,
                               .interrupts = {{"24 a", 100}, {"25 b", 7}}};
  const system_counters after{.steal_ticks = 12,
                              .all_ticks = 1100,
                              .throttled_periods = 4,
                              .swapped_pages = 5,
                              .interrupts = {{"24 a", 200}, {"25 b", 307}, {"26 c", 50}}};
  const auto seen = between(before, after, 0.5);
  EXPECT_DOUBLE_EQ(seen.steal_share, 0.02);
  EXPECT_EQ(seen.throttled_periods, 3);
  EXPECT_EQ(seen.swapped_pages, 0);
  EXPECT_DOUBLE_EQ(seen.interrupts_per_s, 900);
  EXPECT_EQ(seen.busiest_interrupt, "25 b");
}

}  // namespace
}  // namespace ridge::probe
