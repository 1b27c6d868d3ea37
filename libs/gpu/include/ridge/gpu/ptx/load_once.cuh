// SPDX-License-Identifier: Apache-2.0
#pragma once

// Loads of data that nobody reads again and that no kernel writes meanwhile (PTX ISA, ld.global.nc with cache
// hints): 16 bytes, aligned to 16. They do not enter the first-level cache, and the L2 fetches 256 bytes.
namespace ridge::gpu::ptx {

__device__ inline float4 ld_global_nc_once(const float4* source) {
  float4 v;
  asm volatile("ld.global.nc.L1::no_allocate.L2::256B.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "l"(source));
  return v;
}

__device__ inline uint4 ld_global_nc_once(const uint4* source) {
  uint4 v;
  asm volatile("ld.global.nc.L1::no_allocate.L2::256B.v4.b32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(source));
  return v;
}

}  // namespace ridge::gpu::ptx
