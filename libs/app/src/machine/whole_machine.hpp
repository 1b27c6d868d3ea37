// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/probe/machine_facts.hpp>

namespace ridge::app {

// Returns everything that can be found out about this machine without measuring: its files, its GPUs, what is
// installed. It asks the drivers of GPUs in this process and starts tools to ask for their versions, which
// takes some seconds at most.
[[nodiscard]] probe::machine_facts read_whole_machine();

}  // namespace ridge::app
