// SPDX-License-Identifier: Apache-2.0
#pragma once

// Barriers of a part of a block (PTX ISA, bar.sync).
namespace ridge::gpu::ptx {

// bar.sync: waits at barrier `barrier` (0 to 15; __syncthreads is 0) until `threads` threads, whole warps,
// have arrived, and makes visible what they wrote before.
__device__ inline void bar_sync(unsigned barrier, unsigned threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

}  // namespace ridge::gpu::ptx
