// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "timing/block_span.hpp"

namespace ridge::backends::probe_cuda {

// One block of so many threads that meets over and over; each enqueues and returns how often.
double meet_in_block(const kernel_call& call, int threads);
// By a barrier in shared memory, at which all arrive and wait; from compute capability 9.0 on. A thread that
// waited a second gives up, and the block writes no span.
double meet_at_mbarrier(const kernel_call& call, int threads);

}  // namespace ridge::backends::probe_cuda
