// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// Barriers in the block's shared memory (PTX ISA, mbarrier). `barrier` is the shared address of a 64-bit
// object that is aligned to 8 bytes. Compute capability 9.0.
namespace ridge::gpu::ptx {

#if __CUDA_ARCH__ >= 900

// mbarrier.init: a phase completes after `arrivals` arrivals and all bytes that were expected.
__device__ inline void mbarrier_init(std::uint32_t barrier, std::uint32_t arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}

// mbarrier.arrive: one arrival in the current phase.
__device__ inline void mbarrier_arrive(std::uint32_t barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

// The same on a barrier at an address in the cluster's shared memory (mapa_shared_cluster). It orders nothing
// but the arrival for other blocks: a release at cluster scope would wait for all of this thread's accesses.
__device__ inline void mbarrier_arrive_shared_cluster(std::uint32_t barrier) {
  asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(barrier) : "memory");
}

// mbarrier.arrive.expect_tx: one arrival, after which the phase expects `bytes` more bytes of asynchronous
// copies.
__device__ inline void mbarrier_arrive_expect_tx(std::uint32_t barrier, std::uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
               : "memory");
}

// mbarrier.try_wait.parity: whether the phase of that parity is complete; the hardware suspends the thread
// for some microseconds at most.
__device__ inline bool mbarrier_try_wait_parity(std::uint32_t barrier, std::uint32_t parity) {
  std::uint32_t over;
  asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
               : "=r"(over)
               : "r"(barrier), "r"(parity)
               : "memory");
  return over != 0;
}

// The same, and what other blocks of the cluster released with the phase's arrivals is visible.
__device__ inline bool mbarrier_try_wait_parity_acquire_cluster(std::uint32_t barrier, std::uint32_t parity) {
  std::uint32_t over;
  asm volatile(
      "{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, "
      "0, p; }"
      : "=r"(over)
      : "r"(barrier), "r"(parity)
      : "memory");
  return over != 0;
}

// Waits until the phase of that parity is complete.
__device__ inline void mbarrier_wait_parity(std::uint32_t barrier, std::uint32_t parity) {
  while (!mbarrier_try_wait_parity(barrier, parity)) {
  }
}

#endif

}  // namespace ridge::gpu::ptx
