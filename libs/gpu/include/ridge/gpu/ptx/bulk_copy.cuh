// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// Copies by the bulk copy engine (PTX ISA, cp.async.bulk and cp.async.bulk.tensor): one thread begins them;
// addresses and sizes are multiples of 16 bytes. Compute capability 9.0.
namespace ridge::gpu::ptx {

#if __CUDA_ARCH__ >= 900

// Global memory to the shared address `target`; `barrier`, the shared address of an mbarrier, is told of the
// bytes.
__device__ inline void cp_async_bulk_shared_global(std::uint32_t target, const void* source,
                                                   std::uint32_t bytes, std::uint32_t barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(target),
      "l"(source), "r"(bytes), "r"(barrier)
      : "memory");
}

// The shared address `source` to global memory, as part of this thread's present bulk group.
__device__ inline void cp_async_bulk_global_shared(void* target, std::uint32_t source, std::uint32_t bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(target), "r"(source),
               "r"(bytes)
               : "memory");
}

// A box of a tensor map (cuTensorMapEncodeTiled; 64 bytes aligned, in parameter, constant or global memory)
// that begins at column x and row y, to the shared address `target`; with the bytes told to `barrier`.
__device__ inline void cp_async_bulk_tensor_2d_shared_global(std::uint32_t target, const void* tensor_map,
                                                             int x, int y, std::uint32_t barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], "
      "[%4];" ::"r"(target),
      "l"(tensor_map), "r"(x), "r"(y), "r"(barrier)
      : "memory");
}

// The same box from the shared address `source` to the tensor, as part of this thread's present bulk group.
__device__ inline void cp_async_bulk_tensor_2d_global_shared(const void* tensor_map, int x, int y,
                                                             std::uint32_t source) {
  asm volatile(
      "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(tensor_map), "r"(x),
      "r"(y), "r"(source)
      : "memory");
}

// Fetches a tensor map before its first use.
__device__ inline void prefetch_tensormap(const void* tensor_map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(tensor_map) : "memory");
}

// Closes this thread's present bulk group.
__device__ inline void cp_async_bulk_commit_group() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

// Waits until the sources of all but this thread's last `Pending` bulk groups may be written again.
template <int Pending>
__device__ void cp_async_bulk_wait_group_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(Pending) : "memory");
}

// Waits until all but this thread's last `Pending` bulk groups are complete.
template <int Pending>
__device__ void cp_async_bulk_wait_group() {
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(Pending) : "memory");
}

#endif

}  // namespace ridge::gpu::ptx
