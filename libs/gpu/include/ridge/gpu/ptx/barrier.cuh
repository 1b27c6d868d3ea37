// SPDX-License-Identifier: Apache-2.0
#pragma once

// Barriers of a part of a block (PTX ISA, bar).
namespace ridge::gpu::ptx {

// bar.sync: waits at barrier `barrier` (0 to 15; __syncthreads is 0) until `threads` threads, whole warps,
// have arrived, and makes visible what they wrote before.
__device__ inline void bar_sync(unsigned barrier, unsigned threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

// bar.arrive: counts as the arrival of this warp's threads, of `threads` in all, without waiting.
__device__ inline void bar_arrive(unsigned barrier, unsigned threads) {
  asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

}  // namespace ridge::gpu::ptx
