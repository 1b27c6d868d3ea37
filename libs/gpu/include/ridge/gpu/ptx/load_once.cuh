// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// Loads of data that nobody reads again and that no kernel writes meanwhile (PTX ISA, ld.global.nc with cache
// hints), aligned to their size. They do not enter the first-level cache, and the L2 fetches 256 bytes.
namespace ridge::gpu::ptx {

// Four floats.
__device__ inline float4 ld_global_nc_once(const float4* source) {
  float4 v;
  asm volatile("ld.global.nc.L1::no_allocate.L2::256B.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "l"(source));
  return v;
}

// Four words.
__device__ inline uint4 ld_global_nc_once(const uint4* source) {
  uint4 v;
  asm volatile("ld.global.nc.L1::no_allocate.L2::256B.v4.b32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(source));
  return v;
}

// Two words.
__device__ inline uint2 ld_global_nc_once(const uint2* source) {
  uint2 v;
  asm volatile("ld.global.nc.L1::no_allocate.L2::256B.v2.b32 {%0, %1}, [%2];"
               : "=r"(v.x), "=r"(v.y)
               : "l"(source));
  return v;
}

// A word.
__device__ inline std::uint32_t ld_global_nc_once(const std::uint32_t* source) {
  std::uint32_t v;
  asm volatile("ld.global.nc.L1::no_allocate.L2::256B.b32 %0, [%1];" : "=r"(v) : "l"(source));
  return v;
}

}  // namespace ridge::gpu::ptx
