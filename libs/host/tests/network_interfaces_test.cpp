// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/network_interfaces.hpp>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <net/if.h>

#include <gtest/gtest.h>

#include "fixture_tree.hpp"

namespace ridge::host {
namespace {

constexpr const char* adapter = "sys/devices/pci0000:15/0000:15:01.0/0000:19:00.0";

void add_adapter(const fixture_tree& tree) {
  tree.write(std::string(adapter) + "/numa_node", "1");
  tree.write("sys/bus/pci/drivers/mlx5_core/uevent", "");
  tree.link(std::string(adapter) + "/driver", "sys/bus/pci/drivers/mlx5_core");
  tree.link("sys/bus/pci/devices/0000:19:00.0", adapter);
}

TEST(network_interfaces, a_device_has_its_bus_address_driver_and_node) {
  const fixture_tree tree;
  add_adapter(tree);
  const auto folder = std::string(adapter) + "/net/ib0";
  tree.write(folder + "/type", "32");
  tree.write(folder + "/operstate", "up");
  tree.write(folder + "/mtu", "4092");
  tree.write(folder + "/speed", "400000");
  tree.link(folder + "/device", adapter);
  tree.link("sys/class/net/ib0", folder);
  const auto seen = read_network_interfaces(tree.root());
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].name, "ib0");
  EXPECT_EQ(seen[0].kind, network_kind::device);
  EXPECT_EQ(seen[0].driver, "mlx5_core");
  EXPECT_EQ(seen[0].state, "up");
  EXPECT_EQ(seen[0].speed_mbit, 400000);
  EXPECT_EQ(seen[0].mtu, 4092);
  EXPECT_EQ(seen[0].numa_node, 1);
  EXPECT_EQ(seen[0].pci_address, "0000:19:00.0");
}

TEST(network_interfaces, loopback_and_virtual_ones_are_told_apart) {
  const fixture_tree tree;
  tree.write("sys/devices/virtual/net/lo/type", "772");
  tree.write("sys/devices/virtual/net/docker0/type", "1");
  tree.write("sys/devices/virtual/net/docker0/speed", "-1");
  tree.link("sys/class/net/lo", "sys/devices/virtual/net/lo");
  tree.link("sys/class/net/docker0", "sys/devices/virtual/net/docker0");
  tree.write("sys/class/net/bonding_masters", "");
  const auto seen = read_network_interfaces(tree.root());
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0].kind, network_kind::virtual_device);
  EXPECT_FALSE(seen[0].speed_mbit);
  EXPECT_TRUE(seen[0].pci_address.empty());
  EXPECT_EQ(seen[1].kind, network_kind::loopback);
}

TEST(network_interfaces, an_rdma_device_tells_its_first_port) {
  const fixture_tree tree;
  add_adapter(tree);
  const auto folder = std::string(adapter) + "/infiniband/mlx5_0";
  tree.write(folder + "/ports/1/rate", "400 Gb/sec (4X NDR)");
  tree.write(folder + "/ports/1/state", "4: ACTIVE");
  tree.write(folder + "/ports/1/link_layer", "InfiniBand");
  tree.link(folder + "/device", adapter);
  tree.link("sys/class/infiniband/mlx5_0", folder);
  const auto seen = read_rdma_devices(tree.root());
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].name, "mlx5_0");
  EXPECT_EQ(seen[0].rate, "400 Gb/sec (4X NDR)");
  EXPECT_EQ(seen[0].state, "ACTIVE");
  EXPECT_EQ(seen[0].layer, "InfiniBand");
  EXPECT_EQ(seen[0].pci_address, "0000:19:00.0");
  EXPECT_EQ(seen[0].numa_node, 1);
}

// The kernel's own list, by another way than sysfs.
std::vector<std::string> names_by_system_call() {
  std::vector<std::string> names;
  auto* const list = if_nameindex();
  for (auto* one = list; one != nullptr && one->if_index != 0; ++one) names.emplace_back(one->if_name);
  if (list != nullptr) if_freenameindex(list);
  std::ranges::sort(names);
  return names;
}

TEST(network_interfaces, this_machine_shows_what_the_kernel_lists) {
  const auto expected = names_by_system_call();
  if (expected.empty() || !std::filesystem::exists("/sys/class/net"))
    GTEST_SKIP() << "no interface or no sysfs";
  std::vector<std::string> names;
  for (const auto& one : read_network_interfaces()) {
    names.push_back(one.name);
    EXPECT_EQ(one.kind == network_kind::loopback, one.name == "lo") << one.name;
  }
  EXPECT_EQ(names, expected);
}

}  // namespace
}  // namespace ridge::host
