// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/model/machine_tree.hpp>
#include <ridge/probe/machine_facts.hpp>

namespace ridge::probe {

// Returns the tables of distances among GPUs and between GPUs and network adapters; none without GPUs.
[[nodiscard]] std::vector<model::machine_node> distance_parts(const machine_facts& of);

}  // namespace ridge::probe
