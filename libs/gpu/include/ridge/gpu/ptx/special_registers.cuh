// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// Special registers of the PTX ISA that hold the time. Reads keep their order among other memory accesses.
namespace ridge::gpu::ptx {

// %globaltimer: the clock that all multiprocessors of the device share, in nanoseconds.
__device__ inline std::uint64_t globaltimer() {
  std::uint64_t nanoseconds;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds)::"memory");
  return nanoseconds;
}

// %clock64: the cycle counter of the multiprocessor that runs the calling thread.
__device__ inline std::uint64_t clock64() {
  std::uint64_t cycles;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(cycles)::"memory");
  return cycles;
}

}  // namespace ridge::gpu::ptx
