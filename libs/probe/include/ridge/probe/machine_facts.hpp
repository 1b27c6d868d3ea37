// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/host/block_devices.hpp>
#include <ridge/host/isa.hpp>
#include <ridge/host/machine_identity.hpp>
#include <ridge/host/network_interfaces.hpp>
#include <ridge/host/pci.hpp>
#include <ridge/host/process_limits.hpp>
#include <ridge/host/tools.hpp>
#include <ridge/host/topology.hpp>
#include <ridge/probe/gpu_facts.hpp>

namespace ridge::probe {

// A library or a driver by name, with what was found of it or why it is missing.
using software = std::pair<std::string, result<std::string>>;

// Everything that was read about a machine, from which its tree is built.
struct machine_facts {
  std::string name{};  // "intel-xeon-x56-nvidia-h200-x8"
  host::topology topology{};
  host::machine_identity identity{};
  std::string container{};  // kind; empty: none
  host::isa_set isa{};
  std::vector<host::pci_device> pci{};
  std::vector<host::network_interface> network{};
  std::vector<host::rdma_device> rdma{};
  std::vector<host::block_device> disks{};
  std::vector<host::mount> mounts{};
  host::process_limits limits{};
  result<gpu_survey> gpus{error{"the driver was not asked", ""}};
  std::vector<software> libraries{};
  std::vector<host::tool> tools{};
};

// Reads what files below `root` tell: everything but the name, the GPUs, libraries and tools. The instruction
// sets are those of the CPU that this runs on.
[[nodiscard]] machine_facts read_machine_facts(const std::filesystem::path& root = "/");

}  // namespace ridge::probe
