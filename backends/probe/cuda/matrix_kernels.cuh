// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include "matrix_units.hpp"

namespace ridge::backends::probe_cuda {

// Both enqueue products of random operands that stay on the multiprocessor, and return how many operations
// they are: two for each multiply-add. What a thread's sums come to is written to `to`, a float a thread that
// is not 0, in blocks of block_threads; nothing where this build has no such code for the GPU.

// mma.sync: eight warps a block and two blocks a multiprocessor, each warp with eight sums under way,
// operands in registers.
double multiply_by_warps(operand type, float* to, int rounds, int processors, cudaStream_t on);

// wgmma of 64 x 256 sums: two warpgroups a multiprocessor, each with a group of sixteen products under way,
// so that one has work queued while the other waits; operands in shared memory.
double multiply_by_warpgroups(operand type, float* to, int rounds, int processors, cudaStream_t on);

inline constexpr int block_threads = 256;

}  // namespace ridge::backends::probe_cuda
