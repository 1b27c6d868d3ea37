// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/host/topology.hpp>
#include <ridge/probe/system_view.hpp>

namespace ridge::app {

// What `ridge audit` looks at on this machine, read in some milliseconds: nobody is watched and no GPU is
// opened.
[[nodiscard]] probe::system_view audited_system(host::topology machine);

// The same after watching for a quarter of a second, with the state of the GPUs. Opens them: not to be called
// before a fork (decision 0005).
[[nodiscard]] probe::system_view watched_system();

}  // namespace ridge::app
