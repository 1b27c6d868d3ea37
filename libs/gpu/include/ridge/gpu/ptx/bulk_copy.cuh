// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// Copies by the bulk copy engine (PTX ISA, cp.async.bulk and cp.async.bulk.tensor). One thread begins a copy;
// addresses and sizes are multiples of 16 bytes. Compute capability 9.0.
namespace ridge::gpu::ptx {

#if __CUDA_ARCH__ >= 900

// Copies from global memory to the shared address `target` and completes the bytes on the mbarrier at the
// shared address `barrier`.
__device__ inline void cp_async_bulk_shared_global(std::uint32_t target, const void* source,
                                                   std::uint32_t bytes, std::uint32_t barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(target),
      "l"(source), "r"(bytes), "r"(barrier)
      : "memory");
}

// createpolicy.fractional.L2::evict_first: the cache policy of lines that nobody reads again.
__device__ inline std::uint64_t createpolicy_evict_first() {
  std::uint64_t policy;
  asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  return policy;
}

// The copy from global to shared memory with a cache policy for the lines that it reads.
__device__ inline void cp_async_bulk_shared_global(std::uint32_t target, const void* source,
                                                   std::uint32_t bytes, std::uint32_t barrier,
                                                   std::uint64_t policy) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], %2, "
      "[%3], %4;" ::"r"(target),
      "l"(source), "r"(bytes), "r"(barrier), "l"(policy)
      : "memory");
}

// Copies from the shared address `source` to global memory, as part of this thread's current bulk group.
__device__ inline void cp_async_bulk_global_shared(void* target, std::uint32_t source, std::uint32_t bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(target), "r"(source),
               "r"(bytes)
               : "memory");
}

// Copies the box of a tensor map that begins at column `x` and row `y` to the shared address `target` and
// completes the bytes on `barrier`. The map (cuTensorMapEncodeTiled) is aligned to 64 bytes and is in
// parameter, constant or global memory.
__device__ inline void cp_async_bulk_tensor_2d_shared_global(std::uint32_t target, const void* tensor_map,
                                                             int x, int y, std::uint32_t barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], "
      "[%4];" ::"r"(target),
      "l"(tensor_map), "r"(x), "r"(y), "r"(barrier)
      : "memory");
}

// The same copy to the same place in every block of the cluster whose rank is a bit of `ranks`; the bytes
// complete on the barrier at the same place in each.
__device__ inline void cp_async_bulk_tensor_2d_shared_global_multicast(std::uint32_t target,
                                                                       const void* tensor_map, int x, int y,
                                                                       std::uint32_t barrier,
                                                                       std::uint16_t ranks) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], "
      "[%1, {%2, %3}], [%4], %5;" ::"r"(target),
      "l"(tensor_map), "r"(x), "r"(y), "r"(barrier), "h"(ranks)
      : "memory");
}

#ifdef __CUDA_ARCH_FEAT_SM100_ALL
// The copy to this block's own `target` whose bytes complete on a barrier of this block or of the other one
// of its pair (tcgen05.cuh), named by its address in the cluster's shared memory. Architecture sm_100a.
__device__ inline void cp_async_bulk_tensor_2d_shared_global_pair(std::uint32_t target,
                                                                  const void* tensor_map, int x, int y,
                                                                  std::uint32_t barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.cta_group::2 [%0], [%1, "
      "{%2, %3}], [%4];" ::"r"(target),
      "l"(tensor_map), "r"(x), "r"(y), "r"(barrier)
      : "memory");
}
#endif

// Copies the same box from the shared address `source` to the tensor, as part of this thread's current bulk
// group.
__device__ inline void cp_async_bulk_tensor_2d_global_shared(const void* tensor_map, int x, int y,
                                                             std::uint32_t source) {
  asm volatile(
      "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(tensor_map), "r"(x),
      "r"(y), "r"(source)
      : "memory");
}

// prefetch.tensormap: fetches a tensor map before its first use.
__device__ inline void prefetch_tensormap(const void* tensor_map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(tensor_map) : "memory");
}

// cp.async.bulk.commit_group: closes this thread's current bulk group.
__device__ inline void cp_async_bulk_commit_group() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

// cp.async.bulk.wait_group.read: waits until the sources of all but this thread's last `Pending` bulk groups
// have been read and may be overwritten.
template <int Pending>
__device__ void cp_async_bulk_wait_group_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(Pending) : "memory");
}

// cp.async.bulk.wait_group: waits until all but this thread's last `Pending` bulk groups are complete.
template <int Pending>
__device__ void cp_async_bulk_wait_group() {
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(Pending) : "memory");
}

#endif

}  // namespace ridge::gpu::ptx
