// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// Thread block clusters (PTX ISA, %cluster_ctarank, barrier.cluster, mapa, .shared::cluster). Compute
// capability 9.0.
namespace ridge::gpu::ptx {

#if __CUDA_ARCH__ >= 900

// Rank of this block within its cluster.
__device__ inline std::uint32_t cluster_ctarank() {
  std::uint32_t rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

// Number of blocks of the cluster.
__device__ inline std::uint32_t cluster_nctarank() {
  std::uint32_t count;
  asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(count));
  return count;
}

// barrier.cluster.arrive.release: arrives at the cluster's barrier; all threads of the cluster do, in whole
// warps.
__device__ inline void barrier_cluster_arrive_release() {
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}

// barrier.cluster.wait.acquire: waits until all threads of the cluster have arrived and makes visible what
// they wrote before.
__device__ inline void barrier_cluster_wait_acquire() {
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

// mapa: the address in the cluster's shared memory of `shared_address` in the block of rank `rank`.
__device__ inline std::uint32_t mapa_shared_cluster(std::uint32_t shared_address, std::uint32_t rank) {
  std::uint32_t address;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(address) : "r"(shared_address), "r"(rank));
  return address;
}

// Loads a word from an address in the cluster's shared memory.
__device__ inline std::uint32_t ld_shared_cluster_u32(std::uint32_t address) {
  std::uint32_t word;
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(word) : "r"(address));
  return word;
}

// Loads 16 bytes, aligned to 16, from an address in the cluster's shared memory.
__device__ inline uint4 ld_shared_cluster_v4_b32(std::uint32_t address) {
  uint4 words;
  asm volatile("ld.shared::cluster.v4.b32 {%0, %1, %2, %3}, [%4];"
               : "=r"(words.x), "=r"(words.y), "=r"(words.z), "=r"(words.w)
               : "r"(address));
  return words;
}

// Stores a word to an address in the cluster's shared memory.
__device__ inline void st_shared_cluster_u32(std::uint32_t address, std::uint32_t word) {
  asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(address), "r"(word) : "memory");
}

// atom.add: adds to a word in the cluster's shared memory and returns what it held.
__device__ inline std::uint32_t atom_shared_cluster_add_u32(std::uint32_t address, std::uint32_t summand) {
  std::uint32_t before;
  asm volatile("atom.shared::cluster.add.u32 %0, [%1], %2;"
               : "=r"(before)
               : "r"(address), "r"(summand)
               : "memory");
  return before;
}

// st.async: stores a word to an address in the cluster's shared memory and completes its bytes on the
// mbarrier at the cluster's address `barrier`, which is in the same block.
__device__ inline void st_async_shared_cluster_u32(std::uint32_t address, std::uint32_t word,
                                                   std::uint32_t barrier) {
  asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(address),
               "r"(word), "r"(barrier)
               : "memory");
}

// st.async: stores two numbers to an address in the cluster's shared memory, aligned to 8 bytes, and
// completes the bytes on the mbarrier at the cluster's address `barrier`, which is in the same block.
__device__ inline void st_async_shared_cluster_v2_f32(std::uint32_t address, float x, float y,
                                                      std::uint32_t barrier) {
  asm volatile(
      "st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.f32 [%0], {%1, %2}, [%3];" ::"r"(address),
      "f"(x), "f"(y), "r"(barrier)
      : "memory");
}

#endif

}  // namespace ridge::gpu::ptx
