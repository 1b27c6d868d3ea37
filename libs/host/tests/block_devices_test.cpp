// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/block_devices.hpp>

#include <gmock/gmock.h>

#include "fixture_tree.hpp"

namespace ridge::host {
namespace {

using testing::ElementsAre;
using testing::Field;

TEST(block_devices, a_disk_with_its_queue_partitions_and_mounts) {
  const fixture_tree tree;
  const std::string disk = "sys/devices/pci0000:64/0000:64:00.0/0000:65:00.0/nvme/nvme0/nvme0n1";
  tree.write(disk + "/size", "2000409264");
  tree.write(disk + "/dev", "259:0");
  tree.write(disk + "/device/model", "SAMSUNG MZQL21T0HCJR-00A07  ");
  tree.write(disk + "/queue/rotational", "0");
  tree.write(disk + "/queue/scheduler", "[none] mq-deadline");
  tree.write(disk + "/queue/nr_requests", "1023");
  tree.write(disk + "/queue/read_ahead_kb", "128");
  tree.write(disk + "/queue/write_cache", "write through");
  tree.write(disk + "/nvme0n1p2/partition", "2");
  tree.write(disk + "/nvme0n1p2/dev", "259:2");
  tree.write("sys/devices/pci0000:64/0000:64:00.0/0000:65:00.0/numa_node", "0");
  tree.link("sys/bus/pci/devices/0000:65:00.0", "sys/devices/pci0000:64/0000:64:00.0/0000:65:00.0");
  tree.link("sys/block/nvme0n1", disk);
  tree.write("proc/self/mountinfo",
             "1 0 259:2 / / rw - ext4 /dev/nvme0n1p2 rw\n2 1 0:40 / /b rw - btrfs /dev/nvme0n1 rw\n"
             "3 1 0:50 / /net rw - nfs4 server:/nvme0n1 rw");
  const auto all = read_block_devices(tree.root());
  ASSERT_EQ(all.size(), 1u);
  const auto& d = all[0];
  EXPECT_EQ(d.name, "nvme0n1");
  EXPECT_EQ(d.model, "SAMSUNG MZQL21T0HCJR-00A07");
  EXPECT_EQ(d.bytes, 2000409264ull * 512);
  EXPECT_EQ(d.rotational, false);
  EXPECT_EQ(d.scheduler, "none");
  EXPECT_EQ(d.nr_requests, 1023);
  EXPECT_EQ(d.read_ahead_bytes, 128u * 1024);
  EXPECT_EQ(d.write_cache, "write through");
  EXPECT_EQ(d.pci_address, "0000:65:00.0");
  EXPECT_EQ(d.numa_node, 0);
  EXPECT_THAT(d.mounts, ElementsAre(Field(&mount::point, "/"), Field(&mount::point, "/b")));
}

TEST(block_devices, a_multipath_disk_is_found_through_its_subsystem) {
  const fixture_tree tree;
  tree.write("sys/devices/virtual/nvme-subsystem/nvme-subsys0/nvme0n1/size", "8");
  tree.write("sys/devices/pci0000:64/0000:65:00.0/nvme/nvme0/state", "live");
  tree.link("sys/devices/virtual/nvme-subsystem/nvme-subsys0/nvme0",
            "sys/devices/pci0000:64/0000:65:00.0/nvme/nvme0");
  tree.link("sys/devices/virtual/nvme-subsystem/nvme-subsys0/nvme0n1/device",
            "sys/devices/virtual/nvme-subsystem/nvme-subsys0");
  tree.link("sys/block/nvme0n1", "sys/devices/virtual/nvme-subsystem/nvme-subsys0/nvme0n1");
  const auto all = read_block_devices(tree.root());
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].pci_address, "0000:65:00.0");
}

TEST(block_devices, loops_without_a_mount_empty_drives_and_hidden_paths_are_left_out) {
  const fixture_tree tree;
  tree.write("sys/block/loop0/size", "100");
  tree.write("sys/block/loop1/size", "100");
  tree.write("sys/block/loop1/dev", "7:1");
  tree.write("sys/block/sr0/size", "0");
  tree.write("sys/block/nvme0c0n1/size", "100");
  tree.write("sys/block/nvme0c0n1/hidden", "1");
  tree.write("proc/self/mountinfo", "1 0 7:1 / /snap rw - squashfs /dev/loop1 ro");
  EXPECT_THAT(read_block_devices(tree.root()), ElementsAre(Field(&block_device::name, "loop1")));
}

TEST(block_devices, a_mapped_device_names_what_it_lies_on) {
  const fixture_tree tree;
  tree.write("sys/block/dm-0/size", "100");
  tree.write("sys/block/dm-0/slaves/sda3/size", "100");
  tree.write("sys/block/dm-0/slaves/sdb1/size", "100");
  const auto all = read_block_devices(tree.root());
  ASSERT_EQ(all.size(), 1u);
  EXPECT_THAT(all[0].lies_on, ElementsAre("sda3", "sdb1"));
  EXPECT_TRUE(all[0].is_virtual());
  EXPECT_FALSE(all[0].rotational);
}

}  // namespace
}  // namespace ridge::host
