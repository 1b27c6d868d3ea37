// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/model/machine_tree.hpp>
#include <ridge/probe/machine_facts.hpp>

namespace ridge::probe {

// Returns the operating system, its settings and the limits of this process.
[[nodiscard]] model::machine_node system_part(const machine_facts& of);

// Returns the instruction sets that the CPU and the operating system support.
[[nodiscard]] model::machine_node instructions_part(const machine_facts& of);

// Returns the tools and libraries that are installed, with their versions.
[[nodiscard]] model::machine_node software_part(const machine_facts& of);

}  // namespace ridge::probe
