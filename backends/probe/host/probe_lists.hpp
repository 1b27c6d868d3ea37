// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/model/ceiling.hpp>
#include <ridge/probe/prober.hpp>

#include "host_bench.hpp"

namespace ridge::backends::probe_host {

using probe_list = std::vector<probe::peak_probe>;
using rows = std::vector<model::ceiling>;

// Each adds the probes of one subject; the bench must outlive them.

// Adds probes of the clock, and of multiply-adds per type and instruction set.
void add_arithmetic_probes(probe_list& list, host_bench& bench);
// Adds probes of the bandwidth of memory, as a program sees it.
void add_memory_probes(probe_list& list, host_bench& bench);
// Adds probes of the bandwidth of each cache, latencies, pages, communication between cores, and memory
// nodes.
void add_cache_probes(probe_list& list, host_bench& bench);
// Adds probes of calls, wake-ups, switches, page faults, allocation, processes, timers and interruptions.
void add_os_probes(probe_list& list, host_bench& bench);
// Adds probes of a file in the scratch folder.
void add_storage_probes(probe_list& list);
// Adds probes of sockets and of a ring in memory, between threads.
void add_loopback_probes(probe_list& list, host_bench& bench);

}  // namespace ridge::backends::probe_host
