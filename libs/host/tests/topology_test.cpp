// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/topology.hpp>

#include <algorithm>

#include <gtest/gtest.h>

#include "fixture_tree.hpp"

namespace ridge::host {
namespace {

constexpr std::size_t kib = 1024, mib = 1024 * kib, gib = 1024 * mib;

// Two cores of two threads each, numbered as servers number them (siblings 0,2 and 1,3); CPU 3 is not
// allowed.
void write_cpu(const fixture_tree& tree, int cpu, const std::string& siblings) {
  const auto folder = "sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/";
  tree.write(folder + "topology/physical_package_id", "0");
  tree.write(folder + "topology/core_id", std::to_string(cpu % 2));
  tree.write(folder + "topology/thread_siblings_list", siblings);
  const auto add_cache = [&](int index, const char* level, const char* type, const char* size,
                             const std::string& shared) {
    const auto at = folder + "cache/index" + std::to_string(index) + "/";
    tree.write(at + "level", level);
    tree.write(at + "type", type);
    tree.write(at + "size", size);
    tree.write(at + "coherency_line_size", "64");
    tree.write(at + "shared_cpu_list", shared);
  };
  add_cache(0, "1", "Data", "48K", siblings);
  add_cache(1, "1", "Instruction", "32K", siblings);
  add_cache(2, "2", "Unified", "2048K", siblings);
  add_cache(3, "3", "Unified", "32M", "0-3");
}

void write_server(const fixture_tree& tree) {
  for (int cpu = 0; cpu < 4; ++cpu) write_cpu(tree, cpu, cpu % 2 == 0 ? "0,2" : "1,3");
  tree.write("proc/self/status", "Name:\tx\nCpus_allowed:\t7\nCpus_allowed_list:\t0-2\n");
  tree.write("proc/meminfo", "MemTotal:       16777216 kB\nMemFree: 1 kB\nMemAvailable:    8388608 kB\n");
  tree.write(
      "proc/cpuinfo",
      "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 143\nmodel name\t: Xeon: Gold\n"
      "stepping\t: 8\nmicrocode\t: 0x2b\nflags\t\t: fpu hypervisor avx\n\nprocessor\t: 1\nmodel name\t: "
      "other\n");
  tree.write("sys/devices/system/node/online", "0-1");
  tree.write("sys/devices/system/node/node0/cpulist", "0,2");
  tree.write("sys/devices/system/node/node0/meminfo", "Node 0 MemTotal:  8388608 kB\n");
  tree.write("sys/devices/system/node/node0/distance", "10 21");
  tree.write("sys/devices/system/node/node1/cpulist", "1,3");
  tree.write("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never");
  tree.write("sys/devices/system/cpu/intel_pstate/no_turbo", "1");
  tree.write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave");
  tree.write("proc/sys/kernel/randomize_va_space", "2");
  tree.write("proc/sys/kernel/osrelease", "6.1.0-18-amd64");
  tree.write("proc/self/cgroup", "0::/\n");
}

TEST(topology, a_server_with_smt_is_read_whole) {
  const fixture_tree tree;
  write_server(tree);
  const auto t = read_topology(tree.root());
  EXPECT_EQ(t.allowed, (std::vector{0, 1, 2}));
  EXPECT_EQ(t.cores, (std::vector<core>{{0, 0, {0, 2}}, {0, 1, {1}}}));
  EXPECT_EQ(t.one_cpu_per_core(), (std::vector{1, 0}));
  EXPECT_EQ(t.memory_bytes, 16 * gib);
  EXPECT_EQ(t.available_bytes, 8 * gib);
  ASSERT_EQ(t.nodes.size(), 2u);
  EXPECT_EQ(t.nodes[0].memory_bytes, 8 * gib);
  EXPECT_EQ(t.nodes[1].cpus, (std::vector{1, 3}));
  EXPECT_EQ(t.nodes[0].distances, (std::vector{10, 21}));
  EXPECT_TRUE(t.nodes[1].distances.empty());
}

TEST(topology, shared_caches_count_once_and_instruction_caches_not_at_all) {
  const fixture_tree tree;
  write_server(tree);
  const auto t = read_topology(tree.root());
  EXPECT_EQ(t.caches.size(), 7u);
  EXPECT_EQ(t.cache_bytes(1), 2 * 48 * kib);
  EXPECT_EQ(t.cache_bytes(2), 4 * mib);
  EXPECT_EQ(t.last_level_cache_bytes(), 32 * mib);
  EXPECT_EQ(t.cache_bytes(4), 0u);
  EXPECT_EQ(t.caches.front().line_bytes, 64u);
}

TEST(topology, identity_and_state_of_the_system) {
  const fixture_tree tree;
  write_server(tree);
  const auto t = read_topology(tree.root());
  EXPECT_EQ(t.cpu.model, "Xeon: Gold");
  EXPECT_EQ(t.cpu.vendor, "GenuineIntel");
  EXPECT_EQ(t.cpu.model_number, 143);
  EXPECT_EQ(t.cpu.microcode, "0x2b");
  EXPECT_EQ(t.system.hypervisor, "unknown");
  EXPECT_EQ(t.system.transparent_huge_pages, "madvise");
  EXPECT_EQ(t.system.turbo, std::optional(false));
  EXPECT_EQ(t.system.governor, "powersave");
  EXPECT_EQ(t.system.address_randomization, std::optional(2));
  EXPECT_EQ(t.system.kernel, "6.1.0-18-amd64");
  EXPECT_FALSE(t.system.smt);
  EXPECT_FALSE(t.system.perf_event_paranoid);
}

TEST(topology, an_empty_tree_gives_an_empty_machine) {
  const fixture_tree tree;
  const auto t = read_topology(tree.root());
  EXPECT_TRUE(t.allowed.empty());
  EXPECT_TRUE(t.cores.empty());
  EXPECT_TRUE(t.caches.empty());
  EXPECT_EQ(t.nodes.size(), 1u);
  EXPECT_EQ(t.cgroup.version, 0);
  EXPECT_EQ(t.last_level_cache_bytes(), 0u);
}

TEST(topology, rubbish_in_the_files_is_absence_not_failure) {
  const fixture_tree tree;
  write_server(tree);
  tree.write("proc/meminfo", "MemTotal: lots\nMemAvailable\n:::\n");
  tree.write("sys/devices/system/cpu/cpu1/cache/index0/size", "?");
  tree.write("sys/devices/system/cpu/cpu1/topology/thread_siblings_list", "1-");
  tree.write("sys/kernel/mm/transparent_hugepage/enabled", "]always[");
  tree.write("proc/sys/kernel/randomize_va_space", "2x");
  const auto t = read_topology(tree.root());
  EXPECT_EQ(t.memory_bytes, 0u);
  EXPECT_EQ(t.cores.size(), 2u);
  EXPECT_EQ(t.cache_bytes(1), 48 * kib);
  EXPECT_EQ(t.system.transparent_huge_pages, "");
  EXPECT_FALSE(t.system.address_randomization);
}

TEST(topology, this_machine_makes_sense) {
  const auto t = read_topology();
  ASSERT_FALSE(t.allowed.empty());
  std::size_t cpus = 0;
  for (const auto& c : t.cores) cpus += c.cpus.size();
  EXPECT_EQ(cpus, t.allowed.size());
  EXPECT_GT(t.memory_bytes, 64 * mib);
  EXPECT_LE(t.available_bytes, t.memory_bytes);
  EXPECT_LE(t.usable_memory_bytes(), t.memory_bytes);
}

TEST(caches_by_sysconf, every_cpu_has_its_own_but_the_last_level) {
  const std::vector cpus{0, 1};
  const auto caches = caches_by_sysconf(cpus);
  for (const auto& c : caches) EXPECT_EQ(c.cpus.size(), c.level == 3 ? 2u : 1u);
  EXPECT_TRUE(std::ranges::is_sorted(caches, {}, &cpu_cache::level));
}

}  // namespace
}  // namespace ridge::host
