// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/host/topology.hpp>
#include <ridge/measure/clock.hpp>
#include <ridge/model/ceiling.hpp>

namespace ridge::backends::probe_host {

// Returns "cpu.numa.latency" and "cpu.numa.read": one core of each node with CPUs accesses memory of every
// node, nodes without CPUs among them. The value is that of the farthest pair, the series is the matrix ("0
// -> 1": CPU of node 0, memory of node 1). Throws unavailable where there is only one node, or where memory
// cannot be bound to one.
[[nodiscard]] std::vector<model::ceiling> probe_nodes(const measure::clock& clock,
                                                      const host::topology& machine);

}  // namespace ridge::backends::probe_host
