// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include <ridge/model/machine_tree.hpp>
#include <ridge/probe/machine_facts.hpp>

// The parts of machine_tree(), each a pure function of the facts.
namespace ridge::probe {

// The L3 groups and cores of a node, by the CPUs it holds.
[[nodiscard]] std::vector<model::machine_node> core_parts(const host::topology& of,
                                                          const std::vector<int>& cpus);

// Devices of the PCI bus near a node, below the bridges that they share; without a node, those whose firmware
// names none, or one that is not online.
[[nodiscard]] std::vector<model::machine_node> device_parts(const machine_facts& of, std::optional<int> node);

[[nodiscard]] std::vector<model::machine_node> gpu_parts(const machine_facts& of);
[[nodiscard]] std::vector<model::machine_node> distance_parts(const machine_facts& of);
[[nodiscard]] std::vector<model::machine_node> network_parts(const machine_facts& of);
[[nodiscard]] std::vector<model::machine_node> disk_parts(const machine_facts& of);
[[nodiscard]] model::machine_node system_part(const machine_facts& of);
[[nodiscard]] model::machine_node instructions_part(const machine_facts& of);
[[nodiscard]] model::machine_node software_part(const machine_facts& of);

// The facts of a disk without its name.
void add_disk_facts(model::machine_node& to, const host::block_device& of);

// The GPU at an address of the PCI bus; null: none that the runtime shows.
[[nodiscard]] const gpu_facts* gpu_at(const machine_facts& of, const std::string& address);

}  // namespace ridge::probe
