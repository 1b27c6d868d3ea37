// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ridge::gpu::ptx {

#if __CUDA_ARCH__ >= 900

// elect.sync: true in one lane of the warp, which all execute. The compiler knows that what follows is done
// once, which a comparison of thread numbers does not tell it. Compute capability 9.0.
__device__ inline bool elect_sync() {
  std::uint32_t elected;
  asm volatile("{ .reg .pred p; elect.sync _|p, 0xFFFFFFFF; selp.b32 %0, 1, 0, p; }" : "=r"(elected));
  return elected != 0;
}

#endif

}  // namespace ridge::gpu::ptx
