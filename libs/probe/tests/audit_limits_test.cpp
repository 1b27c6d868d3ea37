// SPDX-License-Identifier: Apache-2.0
#include "audited.hpp"

namespace ridge::probe {
namespace {

// One line of /proc/self/limits: the name is 26 columns wide, each limit 21.
std::string limit_line(const std::string& name, const std::string& soft, const std::string& hard) {
  const auto padded = [](std::string text, std::size_t columns) {
    text.resize(columns, ' ');
    return text;
  };
  return padded(name, 26) + padded(soft, 21) + padded(hard, 21) + "units\n";
}

class audit_limits : public audited {
 protected:
  void limit(const std::string& name, const std::string& soft, const std::string& hard = "unlimited") const {
    write("proc/self/limits", limit_line("Limit", "Soft Limit", "Hard Limit") + limit_line(name, soft, hard));
  }
};

TEST_F(audit_limits, without_procfs_all_are_unknown) {
  for (const auto* id :
       {"limits.locked_memory", "limits.open_files", "limits.processes", "limits.stack",
        "limits.address_space", "limits.core_files", "limits.realtime", "limits.shared_memory"})
    EXPECT_EQ(look(id).severity, unknown) << id;
}

TEST_F(audit_limits, locked_memory_must_be_free_where_rdma_adapters_are) {
  limit("Max locked memory", "67108864");
  expect_fine("limits.locked_memory");
  limit("Max locked memory", "65536");
  expect_problem("limits.locked_memory", info, "64.0 KiB", "ulimit -l unlimited");
  limit("Max locked memory", "67108864");
  write("sys/class/infiniband/mlx5_0/node_type", "1: CA");
  expect_problem("limits.locked_memory", warning, "with RDMA adapters", "ulimit -l unlimited");
  EXPECT_EQ(look("limits.locked_memory").fix_container, "--ulimit memlock=-1");
  limit("Max locked memory", "unlimited");
  expect_fine("limits.locked_memory");
}

TEST_F(audit_limits, open_files_are_warned_of_when_few_and_noted_at_the_default) {
  limit("Max open files", "65536");
  expect_fine("limits.open_files");
  limit("Max open files", "1024", "524288");
  expect_problem("limits.open_files", info, "1024, may be raised to 524288", "ulimit -n");
  limit("Max open files", "256");
  expect_problem("limits.open_files", warning, "256", "ulimit -n");
}

TEST_F(audit_limits, threads_are_limited_by_the_user_or_by_the_group) {
  limit("Max processes", "4096");
  expect_fine("limits.processes");
  write("sys/fs/cgroup/pids.max", "32");
  expect_problem("limits.processes", warning, "32", "ulimit -u");
  write("sys/fs/cgroup/pids.max", "max");
  expect_fine("limits.processes");
  limit("Max processes", "20");
  expect_problem("limits.processes", warning, "20", "ulimit -u");
}

TEST_F(audit_limits, small_stacks_limited_addresses_and_endless_cores_are_found) {
  limit("Max stack size", "8388608");
  expect_fine("limits.stack");
  limit("Max stack size", "65536");
  expect_problem("limits.stack", warning, "64.0 KiB", "ulimit -s");
  limit("Max address space", "unlimited");
  expect_fine("limits.address_space");
  limit("Max address space", "1073741824");
  expect_problem("limits.address_space", warning, "1.00 GiB", "ulimit -v unlimited");
  limit("Max core file size", "0");
  expect_fine("limits.core_files");
  limit("Max core file size", "unlimited");
  expect_problem("limits.core_files", info, "unlimited", "ulimit -c 0");
  limit("Max realtime priority", "0", "0");
  expect_said("limits.realtime", ok, "none");
}

TEST_F(audit_limits, dockers_shared_memory_is_too_small) {
  write("proc/self/mountinfo", "25 24 0:23 / /dev/shm rw - tmpfs shm rw,size=65536k");
  expect_problem("limits.shared_memory", warning, "64.0 MiB", "remount,size=8G");
  EXPECT_NE(look("limits.shared_memory").fix_container.find("--shm-size=8g"), std::string::npos);
  EXPECT_NE(look("limits.shared_memory").fix_kubernetes.find("medium: Memory"), std::string::npos);
  write("proc/self/mountinfo", "25 24 0:23 / /dev/shm rw - tmpfs shm rw,size=8388608k");
  expect_fine("limits.shared_memory");
  // Without a size a tmpfs may take half of the memory.
  write("proc/self/mountinfo", "25 24 0:23 / /dev/shm rw - tmpfs shm rw");
  write("proc/meminfo", "MemTotal: 16777216 kB");
  expect_said("limits.shared_memory", ok, "8.00 GiB");
}

TEST_F(audit_limits, the_working_folder_is_looked_up_in_the_mounts) {
  expect_said("storage.file_system", unknown, "procfs");
  given.working_folder = "/data/run";
  write("proc/self/mountinfo", "1 0 0:1 / / rw - overlay overlay rw\n2 1 8:1 / /data rw - ext4 /dev/sda1 rw");
  expect_said("storage.file_system", ok, "ext4 at /data");
  given.working_folder = "/database";
  expect_said("storage.file_system", info, "overlay at /");
  write("proc/self/mountinfo", "1 0 0:1 / / rw - nfs4 server:/export rw");
  expect_problem("storage.file_system", warning, "nfs4 at /", "local disk");
}

TEST_F(audit_limits, temporary_files_in_memory_are_noted) {
  EXPECT_FALSE(is_asked("storage.temporary"));
  write("proc/self/mountinfo", "1 0 8:1 / / rw - ext4 /dev/sda1 rw");
  expect_fine("storage.temporary");
  write("proc/self/mountinfo", "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n2 1 0:5 / /tmp rw - tmpfs tmpfs rw");
  expect_problem("storage.temporary", info, "/tmp is tmpfs", "TMPDIR");
}

TEST_F(audit_limits, a_real_disk_that_rotates_is_warned_of_and_a_virtual_one_is_not) {
  expect_said("storage.disks", unknown, "no mounted disk");
  const std::string folder = "sys/block/sda/";
  write("proc/self/mountinfo", "1 0 8:0 / / rw - ext4 /dev/sda rw");
  write(folder + "dev", "8:0");
  write(folder + "size", "1000000");
  write(folder + "queue/rotational", "1");
  write(folder + "queue/scheduler", "[mq-deadline] none");
  expect_fine("storage.disks");
  write(folder + "device/model", "ST4000");
  expect_problem("storage.disks", warning, "sda, rotating, scheduler mq-deadline", "flash");
}

TEST_F(audit_limits, a_scheduler_before_an_nvme_disk_is_noted) {
  EXPECT_FALSE(is_asked("storage.scheduler"));
  const std::string folder = "sys/block/nvme0n1/";
  write(folder + "dev", "259:0");
  write(folder + "size", "1000000");
  write(folder + "queue/scheduler", "[none] mq-deadline");
  expect_fine("storage.scheduler");
  write(folder + "queue/scheduler", "none [mq-deadline]");
  expect_problem("storage.scheduler", info, "nvme0n1: mq-deadline", "/sys/block/nvme0n1/queue/scheduler");
}

TEST_F(audit_limits, a_forbidden_ring_is_warned_of) {
  expect_said("storage.io_uring", ok, "no switch");
  write("proc/sys/kernel/io_uring_disabled", "0");
  expect_fine("storage.io_uring");
  write("proc/sys/kernel/io_uring_disabled", "2");
  expect_problem("storage.io_uring", warning, "= 2", "io_uring_disabled=0");
}

}  // namespace
}  // namespace ridge::probe
