// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "timing/block_span.hpp"

namespace ridge::backends::probe_cuda {

// Each function enqueues one block of `threads` threads that synchronizes repeatedly, and returns how often.
// The first uses __syncthreads().
double meet_in_block(const kernel_call& call, int threads);
// The second uses an mbarrier, at which all threads arrive and wait; from compute capability 9.0 on. A thread
// that waits more than a second gives up, and the block then writes no span.
double meet_at_mbarrier(const kernel_call& call, int threads);

}  // namespace ridge::backends::probe_cuda
