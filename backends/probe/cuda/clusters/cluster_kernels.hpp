// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "timing/block_span.hpp"

namespace ridge::backends::probe_cuda {

// Probes of clusters, from compute capability 9.0 on. A cluster has up to 8 blocks, or 16 where the GPU
// allows it.

// How many clusters of `cluster` blocks of read_next_block() run at the same time; 0 where none fits.
[[nodiscard]] int clusters_at_once(int cluster);

// Enqueues `clusters` clusters in which every block reads the shared memory of its cluster's next block, 16
// bytes per thread and load. Returns the number of bytes read.
double read_next_block(const kernel_call& call, int cluster, int clusters);

// Enqueues one thread that follows addresses through the shared memory of its cluster's second block, or of
// its own block where `own`. Returns the number of loads.
double follow_in_cluster(const kernel_call& call, int cluster, bool own);

// Enqueues barriers of one cluster; returns how many.
double meet_in_cluster(const kernel_call& call, int cluster);

}  // namespace ridge::backends::probe_cuda
