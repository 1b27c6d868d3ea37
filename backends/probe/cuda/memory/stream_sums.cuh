// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "memory/stream_kernels.cuh"

namespace ridge::backends::probe_cuda {

// Adds the sum of all threads' values modulo 2^32 to one of the sums_words `sums`. All threads of the block
// call it once; a block is at most 1024 threads in whole warps.
__device__ inline void add_of_block(std::uint32_t value, std::uint32_t* sums) {
  __shared__ std::uint32_t of_warps[32];
  value = __reduce_add_sync(0xffffffffu, value);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  const std::uint32_t all =
      __reduce_add_sync(0xffffffffu, threadIdx.x < blockDim.x / 32 ? of_warps[threadIdx.x] : 0);
  if (threadIdx.x == 0)
    asm volatile("red.relaxed.gpu.global.add.u32 [%0], %1;" ::"l"(sums + blockIdx.x % sums_words), "r"(all)
                 : "memory");
}

}  // namespace ridge::backends::probe_cuda
