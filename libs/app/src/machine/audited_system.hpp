// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/harness/experiment.hpp>
#include <ridge/host/topology.hpp>
#include <ridge/probe/system_view.hpp>

namespace ridge::app {

// Returns how this program was built: by the flags that a run records, its sanitizers and its GPU code.
[[nodiscard]] probe::build_facts this_build();

// Returns what `ridge audit` looks at on this machine, read in some milliseconds: nothing is watched and no
// GPU is opened.
[[nodiscard]] probe::system_view audited_system(host::topology machine);

// Returns the same after watching for a quarter of a second, with the state of the GPUs and with how the
// objects of `experiments` were compiled. It opens the GPUs, so it must not be called before a fork (decision
// 0005).
[[nodiscard]] probe::system_view watched_system(const std::vector<experiment>& experiments);

}  // namespace ridge::app
