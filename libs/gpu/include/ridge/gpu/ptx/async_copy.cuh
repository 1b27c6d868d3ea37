// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// Asynchronous copies by one thread from global to shared memory (PTX ISA, cp.async). Compute capability 8.0.
// `target` is an address in the shared state space; target and source are aligned to the size of the copy.
namespace ridge::gpu::ptx {

// cp.async.cg: copies 16 bytes, cached in the L2 only.
__device__ inline void cp_async_cg_16(std::uint32_t target, const void* source) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(target), "l"(source) : "memory");
}

// cp.async.cg: reads the first `source_bytes` of 16 bytes and fills the rest of the target with zeros.
__device__ inline void cp_async_cg_16(std::uint32_t target, const void* source, int source_bytes) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(target), "l"(source), "r"(source_bytes)
               : "memory");
}

// cp.async.ca: reads the first `source_bytes` of 4 bytes, cached in the L1 and the L2, and fills the rest of
// the target with zeros.
__device__ inline void cp_async_ca_4(std::uint32_t target, const void* source, int source_bytes) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(target), "l"(source), "r"(source_bytes)
               : "memory");
}

// cp.async.commit_group: makes one group of the copies that this thread began since its previous group.
__device__ inline void cp_async_commit_group() { asm volatile("cp.async.commit_group;" ::: "memory"); }

// cp.async.wait_group: waits until at most the last `Pending` groups of this thread are incomplete.
template <int Pending>
__device__ void cp_async_wait_group() {
  asm volatile("cp.async.wait_group %0;" ::"n"(Pending) : "memory");
}

}  // namespace ridge::gpu::ptx
