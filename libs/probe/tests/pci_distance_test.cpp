// SPDX-License-Identifier: Apache-2.0
#include <ridge/probe/pci_distance.hpp>

#include <gtest/gtest.h>

namespace ridge::probe {
namespace {

host::pci_device below(std::string address, const std::vector<std::string>& bridges, int node = 0) {
  host::pci_device d{.address = std::move(address)};
  for (const auto& one : bridges) d.bridges.push_back({one, {}});
  d.numa_node = node;
  return d;
}

TEST(pci_distance, by_what_lies_between) {
  const auto gpu = below("0000:18:00.0", {"0000:15:01.0", "0000:16:00.0", "0000:17:00.0"});
  const auto beside = below("0000:19:00.0", {"0000:15:01.0", "0000:16:00.0", "0000:17:01.0"});
  const auto behind_two =
      below("0000:1c:00.0", {"0000:15:01.0", "0000:16:00.0", "0000:17:02.0", "0000:1a:00.0", "0000:1b:00.0"});
  const auto same_host = below("0000:20:00.0", {"0000:15:02.0"});
  const auto same_node = below("0000:40:00.0", {"0000:3f:01.0"});
  const auto far = below("0000:9a:00.0", {"0000:99:01.0"}, 1);
  const auto words = [&](const auto& other) { return name(distance_between(gpu, other)); };
  EXPECT_EQ(words(gpu), "X");
  EXPECT_EQ(words(beside), "PIX");
  EXPECT_EQ(words(behind_two), "PXB");
  EXPECT_EQ(words(same_host), "PHB");
  EXPECT_EQ(words(same_node), "NODE");
  EXPECT_EQ(words(far), "SYS");
}

TEST(pci_distance, functions_of_one_card_share_its_port) {
  EXPECT_EQ(
      distance_between(below("0000:18:00.0", {"0000:15:01.0"}), below("0000:18:00.1", {"0000:15:01.0"})),
      pci_distance::one_switch);
}

TEST(pci_distance, unknown_nodes_are_not_the_same_node) {
  auto a = below("0000:18:00.0", {"0000:15:01.0"}), b = below("0000:40:00.0", {"0000:3f:01.0"});
  a.numa_node.reset(), b.numa_node.reset();
  EXPECT_EQ(distance_between(a, b), pci_distance::between_nodes);
}

}  // namespace
}  // namespace ridge::probe
