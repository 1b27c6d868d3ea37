// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// The tensor core's own memory and its asynchronous matrix products (PTX ISA, tcgen05), for the architecture
// sm_100a. `Blocks` is 1, or 2 where the two blocks of a pair (even and odd rank in their cluster) work
// together; a kernel uses one of them throughout. Addresses in tensor memory and descriptors are
// tcgen05_descriptor.hpp's.
namespace ridge::gpu::ptx {

#ifdef __CUDA_ARCH_FEAT_SM100_ALL

// The statement for one block, or the same for two.
#define RIDGE_BY_BLOCKS(before, after, ...)                                            \
  static_assert(Blocks == 1 || Blocks == 2);                                           \
  if constexpr (Blocks == 1) asm volatile(before ".cta_group::1" after ::__VA_ARGS__); \
  if constexpr (Blocks == 2) asm volatile(before ".cta_group::2" after ::__VA_ARGS__);

// tcgen05.alloc: waits for `columns` free columns, a power of two from 32 to 512, and writes the address of
// the first to the shared address `word`. A warp does it, of each block.
template <unsigned Blocks>
__device__ void tcgen05_alloc(std::uint32_t word, std::uint32_t columns) {
  RIDGE_BY_BLOCKS("tcgen05.alloc", ".sync.aligned.shared::cta.b32 [%0], %1;", "r"(word), "r"(columns)
                  : "memory")
}

// tcgen05.relinquish_alloc_permit: the block allocates no more. A warp does it, of each block.
template <unsigned Blocks>
__device__ void tcgen05_relinquish_alloc_permit() {
  RIDGE_BY_BLOCKS("tcgen05.relinquish_alloc_permit", ".sync.aligned;", : "memory")
}

// tcgen05.dealloc: gives columns back, as every block must before it ends. A warp does it, of each block.
template <unsigned Blocks>
__device__ void tcgen05_dealloc(std::uint32_t begin, std::uint32_t columns) {
  RIDGE_BY_BLOCKS("tcgen05.dealloc", ".sync.aligned.b32 %0, %1;", "r"(begin), "r"(columns) : "memory")
}

// tcgen05.mma: begins to add the product of the described operands, 32 bytes of a row long, to the sums at
// `sums`, or replaces them where `adds` is false. One thread does it; of a pair, one of the even block.
template <unsigned Blocks>
__device__ void tcgen05_mma_f16(std::uint32_t sums, std::uint64_t a, std::uint64_t b,
                                std::uint32_t instruction, bool adds) {
  RIDGE_BY_BLOCKS("{ .reg .pred p; setp.ne.b32 p, %4, 0; tcgen05.mma", ".kind::f16 [%0], %1, %2, %3, p; }",
                  "r"(sums), "l"(a), "l"(b), "r"(instruction), "r"(static_cast<std::uint32_t>(adds))
                  : "memory")
}

// tcgen05.commit: one arrival at the mbarrier when all products that this thread began are complete.
template <unsigned Blocks>
__device__ void tcgen05_commit(std::uint32_t barrier) {
  RIDGE_BY_BLOCKS("tcgen05.commit", ".mbarrier::arrive::one.shared::cluster.b64 [%0];", "r"(barrier)
                  : "memory")
}

// The same at the barrier at the same place in every block of the cluster whose rank is a bit of `ranks`.
template <unsigned Blocks>
__device__ void tcgen05_commit_multicast(std::uint32_t barrier, std::uint16_t ranks) {
  RIDGE_BY_BLOCKS("tcgen05.commit", ".mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%0], %1;",
                  "r"(barrier), "h"(ranks)
                  : "memory")
}

#undef RIDGE_BY_BLOCKS

// tcgen05.fence::before_thread_sync: orders this thread's earlier tcgen05 operations before a synchronization
// that follows.
__device__ inline void tcgen05_fence_before_thread_sync() {
  asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
}

// tcgen05.fence::after_thread_sync: orders this thread's later tcgen05 operations behind a synchronization
// that came before.
__device__ inline void tcgen05_fence_after_thread_sync() {
  asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
}

#define RIDGE_WORDS(bound, i)                                                              \
  bound(w[i]), bound(w[(i) + 1]), bound(w[(i) + 2]), bound(w[(i) + 3]), bound(w[(i) + 4]), \
      bound(w[(i) + 5]), bound(w[(i) + 6]), bound(w[(i) + 7])
#define RIDGE_32_WORDS(bound) \
  RIDGE_WORDS(bound, 0), RIDGE_WORDS(bound, 8), RIDGE_WORDS(bound, 16), RIDGE_WORDS(bound, 24)

// tcgen05.ld: begins to load 32 columns of the lane that is this thread's, lane by lane of the warp, from the
// address of the warp's first lane: warp w of its warpgroup reaches lanes 32 w to 32 w + 31.
__device__ inline void tcgen05_ld_32x32b_x32(std::uint32_t address, std::uint32_t (&w)[32]) {
  asm volatile(
      "tcgen05.ld.sync.aligned.32x32b.x32.b32 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, "
      "%14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, [%32];"
      : RIDGE_32_WORDS("=r")
      : "r"(address));
}

// tcgen05.wait::ld: waits until this thread's loads are complete. That it names the words keeps the compiler
// from using them before.
__device__ inline void tcgen05_wait_ld(std::uint32_t (&w)[32]) {
  asm volatile("tcgen05.wait::ld.sync.aligned;" : RIDGE_32_WORDS("+r")::"memory");
}

#undef RIDGE_32_WORDS
#undef RIDGE_WORDS

#endif

}  // namespace ridge::gpu::ptx
