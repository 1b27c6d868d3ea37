// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <ridge/host/mounts.hpp>

namespace ridge::host {

// A disk, RAID or mapped device.
struct block_device {
  std::string name{};   // "nvme0n1"
  std::string model{};  // empty: the kernel does not tell
  std::uint64_t bytes = 0;
  std::optional<bool> rotational{};
  std::string scheduler{};  // none, mq-deadline, kyber, bfq: the chosen one
  std::optional<int> nr_requests{};
  std::optional<std::uint64_t> read_ahead_bytes{};
  std::string write_cache{};  // "write back", "write through"
  std::optional<int> numa_node{};
  std::string pci_address{};           // empty: no PCI device, or one the kernel hides (multipath)
  std::vector<std::string> lies_on{};  // names of the devices that a mapped device or RAID consists of
  std::vector<mount> mounts{};         // of the device and of its partitions, in the order of `mounts`
  // Returns whether the device has neither a PCI address nor a model: no hardware is known behind it.
  [[nodiscard]] bool is_virtual() const { return pci_address.empty() && model.empty(); }
};

// Returns the block devices below `root`/sys/block that have a size, by name; loop and RAM devices without a
// mount are left out.
[[nodiscard]] std::vector<block_device> read_block_devices(const std::filesystem::path& root = "/");

}  // namespace ridge::host
