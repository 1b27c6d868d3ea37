// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// Asynchronous copies of a thread from global to shared memory (PTX ISA, cp.async). Compute capability 8.0.
// `target` is a shared address; target and source lie on a multiple of the size.
namespace ridge::gpu::ptx {

// 16 bytes, past the L1.
__device__ inline void cp_async_cg_16(std::uint32_t target, const void* source) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(target), "l"(source) : "memory");
}

// 16 bytes, of which the first `source_bytes` are read; the rest becomes zeros.
__device__ inline void cp_async_cg_16(std::uint32_t target, const void* source, int source_bytes) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(target), "l"(source), "r"(source_bytes)
               : "memory");
}

// 4 bytes, through the L1; likewise.
__device__ inline void cp_async_ca_4(std::uint32_t target, const void* source, int source_bytes) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(target), "l"(source), "r"(source_bytes)
               : "memory");
}

// Closes the group of copies that this thread has begun since the group before.
__device__ inline void cp_async_commit_group() { asm volatile("cp.async.commit_group;" ::: "memory"); }

// Waits until all but this thread's last `Pending` groups have come.
template <int Pending>
__device__ void cp_async_wait_group() {
  asm volatile("cp.async.wait_group %0;" ::"n"(Pending) : "memory");
}

}  // namespace ridge::gpu::ptx
