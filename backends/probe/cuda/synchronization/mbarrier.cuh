// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/gpu/ptx/mbarrier.cuh>

#include "timing/span_clock.cuh"

// Waiting at an mbarrier with a time-out, from compute capability 9.0 on.
namespace ridge::backends::probe_cuda {

#if __CUDA_ARCH__ >= 900

// Waits until the phase of that parity is complete. Returns false where it is not within about a second; the
// kernel must then end.
__device__ inline bool wait_for(unsigned barrier, unsigned parity) {
  if (gpu::ptx::mbarrier_try_wait_parity(barrier, parity)) return true;
  constexpr std::int64_t patience = 2'000'000'000;
  const auto start = cycle_now();
  while (!gpu::ptx::mbarrier_try_wait_parity(barrier, parity))
    if (cycle_now() - start > patience) return false;
  return true;
}

#endif

}  // namespace ridge::backends::probe_cuda
