// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ridge::host {

enum class network_kind : std::uint8_t { device, virtual_device, loopback };

// A network interface as the kernel shows it.
struct network_interface {
  std::string name{};  // "eth0"
  network_kind kind{network_kind::device};
  std::string driver{};
  std::string state{};              // up, down, unknown ...
  std::optional<int> speed_mbit{};  // per second; none: not told (down, virtual)
  int mtu = 0;
  std::optional<int> numa_node{};
  std::string pci_address{};  // empty: no PCI device
};

// An RDMA adapter as the verbs interface shows it, by its first port.
struct rdma_device {
  std::string name{};   // "mlx5_0"
  std::string rate{};   // "400 Gb/sec (4X NDR)"
  std::string state{};  // "ACTIVE"
  std::string layer{};  // "InfiniBand", "Ethernet"
  std::optional<int> numa_node{};
  std::string pci_address{};
};

// Return the interfaces below `root`/sys/class/net and the adapters below `root`/sys/class/infiniband, by
// name. What cannot be read is left empty. In a container these are the interfaces of the container.
[[nodiscard]] std::vector<network_interface> read_network_interfaces(const std::filesystem::path& root = "/");
[[nodiscard]] std::vector<rdma_device> read_rdma_devices(const std::filesystem::path& root = "/");

}  // namespace ridge::host
