// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/host/topology.hpp>

namespace ridge::backends::probe_host {

// The CPUs on which two threads work together.
struct cpu_pair {
  std::string name{};   // part of the id of a row: same_cpu, sibling, other_core, other_node
  std::string words{};  // "on the same CPU"
  int first = 0, second = 0;
  [[nodiscard]] bool apart() const { return first != second; }
};

// Returns the pairs of this machine, nearest first, all with the same first CPU: that of the best core.
[[nodiscard]] std::vector<cpu_pair> cpu_pairs(const host::topology& machine);

// Returns the nearest two CPUs of different cores, or one CPU twice where there are no two.
[[nodiscard]] cpu_pair pair_apart(const host::topology& machine);

}  // namespace ridge::backends::probe_host
