// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "timing/block_span.hpp"

namespace ridge::backends::probe_cuda {

// Clusters of blocks, from compute capability 9.0 on: up to 8 anywhere, 16 where the GPU allows.

// How many clusters of so many blocks of ring() are at work at once; 0: none fits.
[[nodiscard]] int clusters_at_once(int cluster);

// Every block reads 16 bytes a thread of the shared memory of its cluster's next; returns the bytes.
double read_next_block(const kernel_call& call, int cluster, int clusters);

// One thread follows addresses through the shared memory of its cluster's second block (own: of its own);
// returns how many.
double follow_in_cluster(const kernel_call& call, int cluster, bool own);

// One cluster's barriers; returns how many.
double meet_in_cluster(const kernel_call& call, int cluster);

}  // namespace ridge::backends::probe_cuda
