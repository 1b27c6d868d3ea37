// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/host/block_devices.hpp>
#include <ridge/model/machine_tree.hpp>
#include <ridge/probe/machine_facts.hpp>

namespace ridge::probe {

// Returns the network interfaces that belong to no PCI device of the tree, virtual ones by name.
[[nodiscard]] std::vector<model::machine_node> network_parts(const machine_facts& of);

// Returns the disks that belong to no PCI device of the tree, and the mounted file systems that no disk
// shows.
[[nodiscard]] std::vector<model::machine_node> disk_parts(const machine_facts& of);

// Adds the facts of a disk except its name.
void add_disk_facts(model::machine_node& to, const host::block_device& of);

}  // namespace ridge::probe
