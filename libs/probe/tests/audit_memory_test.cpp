// SPDX-License-Identifier: Apache-2.0
#include "audited.hpp"

namespace ridge::probe {
namespace {

class audit_memory : public audited {
 protected:
  void two_nodes() const {
    write("sys/devices/system/node/online", "0-1");
    for (const auto* node : {"0", "1"}) {
      write(std::string("sys/devices/system/node/node") + node + "/cpulist", node);
      write(std::string("sys/devices/system/node/node") + node + "/distance",
            node[0] == '0' ? "10 21" : "21 10");
    }
  }
  void device(const std::string& address, std::string_view class_code, std::string_view node) const {
    const auto folder = "sys/bus/pci/devices/" + address;
    write(folder + "/class", class_code);
    write(folder + "/numa_node", node);
  }
};

TEST_F(audit_memory, too_little_room_for_the_caches_is_warned_of) {
  expect_said("memory.room", unknown, "procfs");
  write("proc/meminfo", "MemTotal: 16777216 kB\nMemAvailable: 8388608 kB");
  expect_fine("memory.room");
  write("proc/meminfo", "MemTotal: 16777216 kB\nMemAvailable: 1048576 kB");
  expect_problem("memory.room", warning, "1.00 GiB of 16.0 GiB available", "ps");
}

TEST_F(audit_memory, a_control_groups_limit_counts) {
  write("proc/meminfo", "MemTotal: 16777216 kB\nMemAvailable: 8388608 kB");
  write("proc/self/cgroup", "0::/");
  write("sys/fs/cgroup/memory.max", "536870912");
  expect_problem("memory.room", warning, "limited to 512 MiB", "ps");
  EXPECT_EQ(look("memory.room").fix_container, "--memory=3g");
}

TEST_F(audit_memory, strict_accounting_is_warned_of) {
  expect_said("memory.overcommit", unknown, "vm.overcommit_memory");
  write("proc/sys/vm/overcommit_memory", "1");
  expect_fine("memory.overcommit");
  write("proc/sys/vm/overcommit_memory", "2");
  expect_problem("memory.overcommit", warning, "= 2", "sysctl vm.overcommit_memory=0");
}

TEST_F(audit_memory, huge_pages_on_request_are_enough) {
  expect_said("memory.thp", unknown, "no transparent huge pages");
  const std::string file = "sys/kernel/mm/transparent_hugepage/enabled";
  write(file, "always [madvise] never");
  expect_fine("memory.thp");
  write(file, "always madvise [never]");
  expect_problem("memory.thp", warning, "never", "echo madvise");
}

TEST_F(audit_memory, faults_that_wait_for_a_huge_page_are_noted) {
  EXPECT_FALSE(is_asked("memory.thp_defrag"));
  const std::string file = "sys/kernel/mm/transparent_hugepage/defrag";
  write(file, "always defer [madvise] never");
  expect_fine("memory.thp_defrag");
  write(file, "[always] defer madvise never");
  expect_problem("memory.thp_defrag", info, "always", "echo madvise");
}

TEST_F(audit_memory, reserved_pages_are_noted_with_how_many_are_free) {
  expect_fine("memory.reserved_pages");
  write("sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "512");
  write("sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages", "500");
  expect_problem("memory.reserved_pages", info, "512 reserved, 500 free", "vm.nr_hugepages=0");
}

TEST_F(audit_memory, swap_with_a_high_swappiness_is_warned_of) {
  expect_said("memory.swap", unknown, "swap areas");
  write("proc/swaps", "Filename Type Size Used Priority");
  expect_fine("memory.swap");
  write("proc/swaps", "Filename Type Size Used Priority\n/dev/sda2 partition 1000 0 -2");
  write("proc/sys/vm/swappiness", "10");
  expect_fine("memory.swap");
  write("proc/sys/vm/swappiness", "60");
  expect_problem("memory.swap", warning, "1 area, vm.swappiness = 60", "vm.swappiness=10");
}

TEST_F(audit_memory, swapping_is_seen_only_where_somebody_watched) {
  EXPECT_FALSE(is_asked("memory.swapping"));
  given.recent = activity{.seconds = 0.25};
  expect_fine("memory.swapping");
  given.recent->swapped_pages = 12;
  expect_problem("memory.swapping", warning, "12 pages in 0.25 s", "swapoff");
}

TEST_F(audit_memory, background_work_on_pages_is_found) {
  EXPECT_FALSE(is_asked("memory.merging") || is_asked("memory.compaction"));
  write("sys/kernel/mm/ksm/run", "0");
  write("proc/sys/vm/compaction_proactiveness", "20");
  expect_fine("memory.merging");
  expect_fine("memory.compaction");
  write("sys/kernel/mm/ksm/run", "1");
  write("proc/sys/vm/compaction_proactiveness", "80");
  expect_problem("memory.merging", warning, "on", "ksm/run");
  expect_problem("memory.compaction", info, "80", "compaction_proactiveness=0");
}

TEST_F(audit_memory, modules_are_counted_where_a_driver_tells_and_never_guessed) {
  expect_said("memory.channels", unknown, "dmidecode");
  const std::string folder = "sys/devices/system/edac/mc/mc0/";
  write(folder + "dimm0/size", "32768");
  write(folder + "dimm1/size", "0");
  expect_said("memory.channels", ok, "1 modules on 1 controllers");
  write(folder + "ue_count", "3");
  expect_problem("memory.channels", error, "3 errors", "replace");
}

TEST_F(audit_memory, balancing_matters_with_two_nodes) {
  write("proc/sys/kernel/numa_balancing", "1");
  expect_fine("numa.balancing");
  EXPECT_FALSE(is_asked("numa.reclaim"));
  two_nodes();
  write("proc/sys/vm/zone_reclaim_mode", "0");
  expect_problem("numa.balancing", warning, "numa_balancing = 1, 2 nodes", "kernel.numa_balancing=0");
  expect_fine("numa.reclaim");
  write("proc/sys/vm/zone_reclaim_mode", "1");
  expect_problem("numa.reclaim", warning, "= 1", "zone_reclaim_mode=0");
}

TEST_F(audit_memory, cpus_on_two_nodes_are_told_how_to_stay_on_one) {
  two_nodes();
  expect_problem("numa.placement", info, "node 1: CPUs 1, distances 21 10",
                 "numactl --cpunodebind=0 --membind=0");
  EXPECT_EQ(look("numa.placement").fix_container, "--cpuset-cpus=0 --cpuset-mems=0");
  EXPECT_NE(look("numa.placement").fix_kubernetes.find("single-numa-node"), std::string::npos);
  write("proc/self/status", "Cpus_allowed_list:\t1\nMems_allowed_list:\t0-1");
  expect_fine("numa.placement");
}

TEST_F(audit_memory, memory_from_the_far_node_alone_is_warned_of) {
  two_nodes();
  expect_fine("numa.memory");
  write("proc/self/status", "Cpus_allowed_list:\t1\nMems_allowed_list:\t0");
  expect_problem("numa.memory", warning, "from nodes 0, while the CPUs are of node 1", "--membind=1");
  write("proc/self/status", "Cpus_allowed_list:\t1");
  expect_said("numa.memory", unknown, "procfs");
}

TEST_F(audit_memory, a_gpu_at_a_node_out_of_reach_is_warned_of) {
  EXPECT_FALSE(is_asked("numa.devices"));
  two_nodes();
  expect_said("numa.devices", unknown, "no device");
  device("0000:1b:00.0", "0x030200", "1");
  device("0000:05:00.0", "0x020000", "0");
  device("0000:06:00.0", "0x0c0330", "0");
  expect_problem("numa.devices", info, "GPU 0000:1b:00.0 at node 1 (CPUs 1)", "numactl");
  write("proc/self/status", "Cpus_allowed_list:\t0\nMems_allowed_list:\t0");
  expect_problem("numa.devices", warning, "not near the CPUs of this process: GPU 0000:1b:00.0",
                 "--cpunodebind=1 --membind=1");
  write("proc/self/status", "Cpus_allowed_list:\t1\nMems_allowed_list:\t1");
  device("0000:05:00.0", "0x020000", "1");
  expect_fine("numa.devices");
}

}  // namespace
}  // namespace ridge::probe
