// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/probe/machine_facts.hpp>

namespace ridge::app {

// All that can be found out about this machine without measuring it: its files, its GPUs, what is installed.
// Asks the drivers of GPUs in this process, and starts tools to ask their version; some seconds at most.
[[nodiscard]] probe::machine_facts read_whole_machine();

}  // namespace ridge::app
