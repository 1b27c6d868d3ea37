// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/host/topology.hpp>

namespace ridge::backends::probe_host {

// Where two threads that work together stand.
struct cpu_pair {
  std::string name{};   // of a row: same_cpu, sibling, other_core, other_node
  std::string words{};  // "on the same CPU"
  int first = 0, second = 0;
  [[nodiscard]] bool apart() const { return first != second; }
};

// The pairs this machine has, nearest first, all from the same first CPU: the best core's.
[[nodiscard]] std::vector<cpu_pair> cpu_pairs(const host::topology& machine);

// The nearest two CPUs of different cores, or the one CPU twice where there are no two.
[[nodiscard]] cpu_pair pair_apart(const host::topology& machine);

}  // namespace ridge::backends::probe_host
