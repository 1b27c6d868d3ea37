// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// Accesses to global memory with an order (PTX ISA, memory consistency model), among all threads of the GPU.
namespace ridge::gpu::ptx {

// st.relaxed: stores 8 bytes, aligned to 8, at once; orders no other access.
__device__ inline void st_relaxed_gpu_v2_b32(uint2* target, uint2 words) {
  asm volatile("st.relaxed.gpu.global.v2.b32 [%0], {%1, %2};" ::"l"(target), "r"(words.x), "r"(words.y)
               : "memory");
}

// st.relaxed: stores a word.
__device__ inline void st_relaxed_gpu_b32(std::uint32_t* target, std::uint32_t word) {
  asm volatile("st.relaxed.gpu.global.b32 [%0], %1;" ::"l"(target), "r"(word) : "memory");
}

// ld.relaxed: loads four words, aligned to 16 bytes; each word is whole, and no other access is ordered.
__device__ inline uint4 ld_relaxed_gpu_v4_b32(const std::uint32_t* source) {
  uint4 words;
  asm volatile("ld.relaxed.gpu.global.v4.b32 {%0, %1, %2, %3}, [%4];"
               : "=r"(words.x), "=r"(words.y), "=r"(words.z), "=r"(words.w)
               : "l"(source)
               : "memory");
  return words;
}

// ld.relaxed: loads 8 bytes, aligned to 8, at once; orders no other access.
__device__ inline uint2 ld_relaxed_gpu_v2_b32(const uint2* source) {
  uint2 words;
  asm volatile("ld.relaxed.gpu.global.v2.b32 {%0, %1}, [%2];"
               : "=r"(words.x), "=r"(words.y)
               : "l"(source)
               : "memory");
  return words;
}

}  // namespace ridge::gpu::ptx
