// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/host/topology.hpp>
#include <ridge/model/machine_tree.hpp>

namespace ridge::probe {

// Returns the groups of cores that share an L3 cache, with their cores, of a NUMA node given by its logical
// CPUs.
[[nodiscard]] std::vector<model::machine_node> core_parts(const host::topology& of,
                                                          const std::vector<int>& cpus);

}  // namespace ridge::probe
