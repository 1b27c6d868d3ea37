// SPDX-License-Identifier: Apache-2.0
#include <ridge/app/this_machine.hpp>

#include <chrono>

#include <ridge/app/backends.hpp>
#include <ridge/host/topology.hpp>
#include <ridge/probe/activity.hpp>
#include <ridge/probe/audit.hpp>
#include <ridge/probe/machine_tree.hpp>

#include "machine/audited_system.hpp"
#include "machine/whole_machine.hpp"

namespace ridge::app {

model::machine_node this_machine() { return probe::machine_tree(read_whole_machine()); }

model::audit audit_of_host() {
  auto system = audited_system(host::read_topology());
  system.recent = probe::watch("/", system.machine.allowed, std::chrono::milliseconds(250));
  return probe::audit(system);
}

std::unique_ptr<measure::gpu_monitor> open_gpu_monitor() {
  const auto make = find_factory<std::unique_ptr<measure::gpu_monitor>()>(measure_backends(), "nvml");
  return make == nullptr ? nullptr : make();
}

}  // namespace ridge::app
