// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <ridge/measure/gpu_monitor.hpp>
#include <ridge/model/audit.hpp>
#include <ridge/model/machine_tree.hpp>

// What is known of the machine that the program runs on, for those who look at it while others measure: no
// function opens a GPU.
namespace ridge::app {

// Returns what `ridge probe` shows. It takes some seconds at most.
[[nodiscard]] model::machine_node this_machine();

// Returns what `ridge audit` finds but the state of the GPUs and how experiments were compiled, after
// watching the machine for a quarter of a second.
[[nodiscard]] model::audit audit_of_host();

// Returns the monitor of the GPUs; null where this build has none.
[[nodiscard]] std::unique_ptr<measure::gpu_monitor> open_gpu_monitor();

}  // namespace ridge::app
