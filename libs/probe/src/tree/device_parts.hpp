// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include <ridge/model/machine_tree.hpp>
#include <ridge/probe/machine_facts.hpp>

namespace ridge::probe {

// Returns the devices of the PCI bus near a NUMA node, below the bridges that they share. Without a node: the
// devices whose firmware names no node, or one that is not online.
[[nodiscard]] std::vector<model::machine_node> device_parts(const machine_facts& of, std::optional<int> node);

}  // namespace ridge::probe
