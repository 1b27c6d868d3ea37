// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/cgroup.hpp>

#include <gtest/gtest.h>

#include "fixture_tree.hpp"

namespace ridge::host {
namespace {

constexpr std::size_t gib = std::size_t{1} << 30;

TEST(cgroup, version_2_takes_the_tightest_limit_up_to_the_root) {
  const fixture_tree tree;
  tree.write("proc/self/cgroup", "0::/user.slice/run.scope\n");
  tree.write("sys/fs/cgroup/user.slice/run.scope/cpu.max", "max 100000");
  tree.write("sys/fs/cgroup/user.slice/run.scope/memory.max", "4294967296");
  tree.write("sys/fs/cgroup/user.slice/cpu.max", "150000 100000");
  tree.write("sys/fs/cgroup/user.slice/memory.max", "2147483648");
  const auto c = read_cgroup(tree.root());
  EXPECT_EQ(c.version, 2);
  EXPECT_EQ(c.cpus, std::optional(1.5));
  EXPECT_EQ(c.memory_bytes, std::optional(2 * gib));
  EXPECT_EQ(c.cpu_folder, tree.root() / "sys/fs/cgroup/user.slice/run.scope");
}

TEST(cgroup, version_1_has_a_tree_per_controller) {
  const fixture_tree tree;
  tree.write("proc/self/cgroup", "9:name=systemd:/\n4:memory:/job/a:b\n2:cpu,cpuacct:/job\n0::/\n");
  tree.write("sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "50000");
  tree.write("sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000");
  tree.write("sys/fs/cgroup/memory/job/a:b/memory.limit_in_bytes", "9223372036854771712");
  tree.write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "1073741824");
  const auto c = read_cgroup(tree.root());
  EXPECT_EQ(c.version, 1);
  EXPECT_EQ(c.cpus, std::optional(0.5));
  EXPECT_EQ(c.memory_bytes, std::optional(gib));
}

TEST(cgroup, a_path_of_the_host_seen_inside_a_container_falls_back_to_the_mount) {
  const fixture_tree tree;
  tree.write("proc/self/cgroup", "0::/../../docker/abc\n");
  tree.write("sys/fs/cgroup/cpu.max", "200000 100000");
  const auto c = read_cgroup(tree.root());
  EXPECT_EQ(c.cpus, std::optional(2.0));
  EXPECT_FALSE(c.memory_bytes);
}

TEST(cgroup, unlimited_unreadable_and_absent_are_no_limit) {
  const fixture_tree tree;
  EXPECT_EQ(read_cgroup(tree.root()).version, 0);
  tree.write("proc/self/cgroup", "rubbish\n0:x\n0::/\n");
  tree.write("sys/fs/cgroup/cpu.max", "-1 0");
  tree.write("sys/fs/cgroup/memory.max", "max");
  const auto c = read_cgroup(tree.root());
  EXPECT_EQ(c.version, 2);
  EXPECT_FALSE(c.cpus);
  EXPECT_FALSE(c.memory_bytes);
}

TEST(cgroup, counts_what_the_kernel_killed_for_want_of_memory) {
  const fixture_tree second;
  second.write("proc/self/cgroup", "0::/run.scope\n");
  EXPECT_EQ(out_of_memory_kills(second.root()), std::nullopt) << "it does not tell";
  second.write("proc/vmstat", "pgfault 12\noom_kill 5\nnuma_hit 1\n");
  EXPECT_EQ(out_of_memory_kills(second.root()), std::optional<std::uint64_t>(5)) << "those of the machine";
  second.write("sys/fs/cgroup/run.scope/memory.events",
               "low 0\nhigh 0\nmax 40\noom 2\noom_kill 3\noom_group_kill 1\n");
  EXPECT_EQ(out_of_memory_kills(second.root()), std::optional<std::uint64_t>(3));
  const fixture_tree first;
  first.write("proc/self/cgroup", "4:memory:/job\n");
  first.write("sys/fs/cgroup/memory/job/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 7\n");
  EXPECT_EQ(out_of_memory_kills(first.root()), std::optional<std::uint64_t>(7));
}

}  // namespace
}  // namespace ridge::host
