// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shared_memory/on_chip_access.hpp"
#include "timing/block_span.hpp"

namespace ridge::backends::probe_cuda {

// Each enqueues and returns the bytes that all blocks moved together. A block's threads write what they read
// came to, in whole words that mean nothing, to call.to.

// 16 bytes a thread from shared memory, in order of lanes: no two in one bank at a time.
double read_shared(const kernel_call& call);
double write_shared(const kernel_call& call);

// Words `stride` words apart, from 1 to most_stride, by one warp's lanes.
inline constexpr int most_stride = 33;
double read_shared_apart(const kernel_call& call, int stride);

// 16 bytes a thread of l1_bytes that every block reads over and over from the L1.
double read_l1(const kernel_call& call, const float* source);

}  // namespace ridge::backends::probe_cuda
