// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/model/ceiling.hpp>
#include <ridge/probe/prober.hpp>

#include "host_bench.hpp"

namespace ridge::backends::probe_host {

using probe_list = std::vector<probe::peak_probe>;
using rows = std::vector<model::ceiling>;

// Each adds the probes of one subject; the bench outlives them.

// The clock and multiply-adds per type and instruction set.
void add_arithmetic_probes(probe_list& list, host_bench& on);
// Bandwidth of memory, as a program sees it.
void add_memory_probes(probe_list& list, host_bench& on);
// Bandwidth of each cache, latencies, pages, cores among each other, memory nodes.
void add_cache_probes(probe_list& list, host_bench& on);
// Calls, wake-ups, switches, page faults, allocation, processes, timers, interruptions.
void add_os_probes(probe_list& to, host_bench& on);
// A file in the scratch folder.
void add_storage_probes(probe_list& to);
// Sockets and a ring in memory, between threads.
void add_loopback_probes(probe_list& to, host_bench& on);

}  // namespace ridge::backends::probe_host
