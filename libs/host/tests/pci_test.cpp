// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/pci.hpp>

#include <gmock/gmock.h>

#include "fixture_tree.hpp"

namespace ridge::host {
namespace {

using testing::ElementsAre;

struct link_files {
  std::string speed, width, max_speed, max_width;
};

// A device at `path` below sys/devices, the last component its address, as the kernel shows it.
void add_device(const fixture_tree& tree, const std::string& path, const std::string& class_code,
                const link_files& link) {
  const auto folder = "sys/devices/" + path;
  const auto address = path.substr(path.rfind('/') + 1);
  tree.write(folder + "/class", class_code);
  tree.write(folder + "/current_link_speed", link.speed);
  tree.write(folder + "/current_link_width", link.width);
  tree.write(folder + "/max_link_speed", link.max_speed);
  tree.write(folder + "/max_link_width", link.max_width);
  tree.link("sys/bus/pci/devices/" + address, folder);
}

constexpr const char* root_port = "pci0000:15/0000:15:01.0";
constexpr const char* gpu = "pci0000:15/0000:15:01.0/0000:16:00.0/0000:17:00.0/0000:18:00.0";

// A GPU behind a switch whose link up runs at half the width of its own.
void add_gpu_behind_switch(const fixture_tree& tree) {
  const link_files full{"32.0 GT/s PCIe", "16", "32.0 GT/s PCIe", "16"};
  add_device(tree, root_port, "0x060400", {"32.0 GT/s PCIe", "8", "32.0 GT/s PCIe", "16"});
  add_device(tree, "pci0000:15/0000:15:01.0/0000:16:00.0", "0x060400",
             {"32.0 GT/s PCIe", "8", "32.0 GT/s PCIe", "16"});
  add_device(tree, "pci0000:15/0000:15:01.0/0000:16:00.0/0000:17:00.0", "0x060400", full);
  add_device(tree, gpu, "0x030200", full);
  const std::string folder = std::string("sys/devices/") + gpu;
  tree.write(folder + "/vendor", "0x10de");
  tree.write(folder + "/device", "0x2335");
  tree.write(folder + "/numa_node", "1");
  tree.write(folder + "/local_cpulist", "4-7");
  tree.write("sys/bus/pci/drivers/nvidia/uevent", "");
  tree.link(folder + "/driver", "sys/bus/pci/drivers/nvidia");
}

TEST(pci, a_device_knows_the_bridges_above_it_from_the_root_port_down) {
  const fixture_tree tree;
  add_gpu_behind_switch(tree);
  const auto all = read_pci_devices(tree.root());
  ASSERT_EQ(all.size(), 4u);
  const auto& seen = all.back();
  EXPECT_EQ(seen.address, "0000:18:00.0");
  EXPECT_EQ(seen.class_code, 0x030200u);
  EXPECT_EQ(seen.vendor, 0x10de);
  EXPECT_EQ(seen.device, 0x2335);
  EXPECT_EQ(seen.driver, "nvidia");
  EXPECT_EQ(seen.numa_node, 1);
  EXPECT_THAT(seen.cpus, ElementsAre(4, 5, 6, 7));
  EXPECT_EQ(seen.link, (pci_link{32, 16, 32, 16}));
  EXPECT_THAT(seen.bridges, ElementsAre(testing::Field(&pci_hop::address, "0000:15:01.0"),
                                        testing::Field(&pci_hop::address, "0000:16:00.0"),
                                        testing::Field(&pci_hop::address, "0000:17:00.0")));
  EXPECT_FALSE(seen.is_bridge());
  EXPECT_TRUE(all.front().is_bridge());
  EXPECT_TRUE(all.front().bridges.empty());
}

TEST(pci, the_narrowest_hop_is_the_one_that_lets_the_least_through) {
  const fixture_tree tree;
  add_gpu_behind_switch(tree);
  const auto seen = read_pci_devices(tree.root()).back();
  ASSERT_TRUE(seen.narrowest_now());
  EXPECT_EQ(seen.narrowest_now()->address, "0000:15:01.0");
  EXPECT_EQ(seen.narrowest_now()->link.width, 8);
  EXPECT_EQ(seen.narrowest_at_most()->link.max_width, 16);
}

TEST(pci, what_a_hypervisor_hides_is_not_told) {
  const fixture_tree tree;
  add_device(tree, "pci0000:00/0000:00:01.0", "0x010000", {"Unknown", "63", "Unknown speed", "255"});
  tree.write("sys/devices/pci0000:00/0000:00:01.0/numa_node", "-1");
  const auto seen = read_pci_devices(tree.root());
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].link, pci_link{});
  EXPECT_FALSE(seen[0].narrowest_now());
  EXPECT_FALSE(seen[0].numa_node);
  EXPECT_TRUE(seen[0].driver.empty());
}

TEST(pci, a_virtual_function_names_its_physical_one) {
  const fixture_tree tree;
  add_device(tree, "pci0000:3a/0000:3a:00.0", "0x020700", {});
  add_device(tree, "pci0000:3a/0000:3a:00.1", "0x020700", {});
  tree.write("sys/devices/pci0000:3a/0000:3a:00.0/sriov_numvfs", "1");
  tree.link("sys/devices/pci0000:3a/0000:3a:00.1/physfn", "sys/devices/pci0000:3a/0000:3a:00.0");
  const auto seen = read_pci_devices(tree.root());
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0].virtual_functions, 1);
  EXPECT_EQ(seen[1].physical_function, "0000:3a:00.0");
  EXPECT_TRUE(seen[0].physical_function.empty());
}

TEST(pci, no_folder_is_no_device) { EXPECT_TRUE(read_pci_devices(fixture_tree().root()).empty()); }

// PCI Express Base Specification: x16 carries 4.0, 15.75, 31.5, 63.0, 118 GB/s at generations 1, 3, 4, 5, 6.
TEST(pci, rates_are_the_specifications) {
  EXPECT_NEAR(pci_bytes_per_s(2.5, 16), 4e9, 1e6);
  EXPECT_NEAR(pci_bytes_per_s(8, 16), 15.754e9, 1e6);
  EXPECT_NEAR(pci_bytes_per_s(16, 16), 31.508e9, 1e6);
  EXPECT_NEAR(pci_bytes_per_s(32, 16), 63.015e9, 1e6);
  EXPECT_NEAR(pci_bytes_per_s(64, 16), 118e9, 1e6);
  EXPECT_EQ(pci_bytes_per_s(0, 16), 0);
  EXPECT_EQ(pci_generation(2.5), 1);
  EXPECT_EQ(pci_generation(32), 5);
  EXPECT_EQ(pci_generation(33), 0);
}

}  // namespace
}  // namespace ridge::host
