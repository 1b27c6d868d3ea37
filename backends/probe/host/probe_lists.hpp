// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/probe/prober.hpp>

#include "host_bench.hpp"

namespace ridge::backends::probe_host {

using probe_list = std::vector<probe::peak_probe>;

// Each adds the probes of one subject; the bench outlives them.

// Calls, wake-ups, switches, page faults, allocation, processes, timers, interruptions.
void add_os_probes(probe_list& to, host_bench& on);
// A file in the scratch folder.
void add_storage_probes(probe_list& to);
// Sockets and a ring in memory, between threads.
void add_loopback_probes(probe_list& to, host_bench& on);

}  // namespace ridge::backends::probe_host
