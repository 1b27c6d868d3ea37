// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ridge::backends::device_cuda {

// The device's real-time clock (%globaltimer), in nanoseconds.
__device__ inline std::uint64_t now_ns() {
  std::uint64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

}  // namespace ridge::backends::device_cuda
