// SPDX-License-Identifier: Apache-2.0
#pragma once

// Prefetches (PTX ISA, prefetch).
namespace ridge::gpu::ptx {

// prefetch.global.L2: brings the line of a global address into the second-level cache.
__device__ inline void prefetch_global_l2(const void* address) {
  asm volatile("prefetch.global.L2 [%0];" ::"l"(address) : "memory");
}

}  // namespace ridge::gpu::ptx
