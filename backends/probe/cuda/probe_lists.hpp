// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/probe/prober.hpp>

#include "gpu_bench.hpp"

// Each function appends the probes of one subject to `list`. The bench outlives the probes.
namespace ridge::backends::probe_cuda {

using probe_list = std::vector<probe::peak_probe>;

void add_dram_probes(probe_list& list, gpu_bench& bench);
void add_cache_probes(probe_list& list, gpu_bench& bench);
void add_latency_probes(probe_list& list, gpu_bench& bench);
void add_copy_probes(probe_list& list, gpu_bench& bench);
void add_overlap_probes(probe_list& list, gpu_bench& bench);
void add_launch_probes(probe_list& list, gpu_bench& bench);
void add_further_launch_probes(probe_list& list, gpu_bench& bench);
void add_graph_probes(probe_list& list, gpu_bench& bench);
void add_event_probes(probe_list& list, gpu_bench& bench);
void add_allocation_probes(probe_list& list, gpu_bench& bench);
void add_peer_probes(probe_list& list, gpu_bench& bench);
void add_arithmetic_probes(probe_list& list, gpu_bench& bench);
void add_matrix_probes(probe_list& list, gpu_bench& bench);
void add_shared_memory_probes(probe_list& list, gpu_bench& bench);
void add_atomic_probes(probe_list& list, gpu_bench& bench);
void add_cluster_probes(probe_list& list, gpu_bench& bench);
void add_bulk_copy_probes(probe_list& list, gpu_bench& bench);
void add_barrier_probes(probe_list& list, gpu_bench& bench);
void add_library_probes(probe_list& list, gpu_bench& bench);

}  // namespace ridge::backends::probe_cuda
