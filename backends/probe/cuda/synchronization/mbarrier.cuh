// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "timing/span_clock.cuh"

// Barriers in shared memory, from compute capability 9.0 on (PTX ISA, mbarrier).
namespace ridge::backends::probe_cuda {

#if __CUDA_ARCH__ >= 900

__device__ inline void init_barrier(unsigned at, unsigned arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at), "r"(arrivals) : "memory");
}

__device__ inline void expect_bytes(unsigned at, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at), "r"(bytes) : "memory");
}

__device__ inline void arrive(unsigned at) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at) : "memory");
}

__device__ inline bool has_turned(unsigned at, unsigned parity) {
  std::uint32_t turned;
  asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
               : "=r"(turned)
               : "r"(at), "r"(parity)
               : "memory");
  return turned != 0;
}

// Until the phase of that parity is over. False: not within some second; the kernel must end.
__device__ inline bool wait_for(unsigned at, unsigned parity) {
  if (has_turned(at, parity)) return true;
  constexpr std::int64_t patience = 2'000'000'000;
  const auto start = cycle_now();
  while (!has_turned(at, parity))
    if (cycle_now() - start > patience) return false;
  return true;
}

#endif

}  // namespace ridge::backends::probe_cuda
