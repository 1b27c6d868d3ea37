// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/model/machine_tree.hpp>
#include <ridge/probe/machine_facts.hpp>

namespace ridge::probe {

// Returns one part per GPU that the runtime shows: its size, state and links.
[[nodiscard]] std::vector<model::machine_node> gpu_parts(const machine_facts& of);

}  // namespace ridge::probe
