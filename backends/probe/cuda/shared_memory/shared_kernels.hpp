// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shared_memory/on_chip_access.hpp"
#include "timing/block_span.hpp"

namespace ridge::backends::probe_cuda {

// Each function enqueues a kernel and returns the bytes that all blocks move together. Every thread writes a
// checksum of the words that it read to call.results.

// Reads or writes shared memory with 16 bytes per thread in the order of the lanes, without bank conflicts.
double read_shared(const kernel_call& call);
double write_shared(const kernel_call& call);

// Reads words from shared memory; the lanes of a warp read words that are `stride` words apart, from 1 to
// most_stride.
inline constexpr int most_stride = 33;
double read_shared_apart(const kernel_call& call, int stride);

// Reads the l1_bytes at `source` repeatedly with 16 bytes per thread, so that they come from the L1.
double read_l1(const kernel_call& call, const float* source);

}  // namespace ridge::backends::probe_cuda
