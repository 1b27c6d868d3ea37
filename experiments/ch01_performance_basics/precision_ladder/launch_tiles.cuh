// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/gpu/check.hpp>

#include "staged_tiles.cuh"
#include "widths.cuh"

namespace ridge::experiments::ch01_precision_ladder {

// One block of `kernel` a tile of c; zeros where the sums have no terms.
inline void launch_tiles(void (*kernel)(tile_problem), const char* name, const workload& w,
                         const padded_operands& from, cudaStream_t queue) {
  if (w.c.empty()) return;
  if (w.k == 0) {
    gpu::check(cudaMemsetAsync(w.c.data(), 0, w.c.size_bytes(), queue), "cudaMemsetAsync of the product");
    return;
  }
  const auto down = static_cast<unsigned>((w.m + tile - 1) / tile);
  const auto across = static_cast<unsigned>((w.n + tile - 1) / tile);
  const bool pairs = w.n % 2 == 0 && reinterpret_cast<std::uintptr_t>(w.c.data()) % 8 == 0;
  constexpr int bytes = ring_bytes + ring_alignment;
  gpu::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
             "cudaFuncSetAttribute of the shared memory");
  kernel<<<down * across, tile_threads, bytes, queue>>>({from.a.data(), from.b.data(), w.c.data(),
                                                         from.scales.empty() ? nullptr : from.scales.data(),
                                                         w.m, w.n, from.pitch, down, across, pairs});
  gpu::check_launch(name);
}

__device__ inline unsigned aligned_ring(const void* dynamic) {
  return (shared_address(dynamic) + ring_alignment - 1) / ring_alignment * ring_alignment;
}

__device__ inline float scale_of_sums(const tile_problem& of) {
  return of.scales ? of.scales[0] * of.scales[floats_a_scale] : 1.0F;
}

}  // namespace ridge::experiments::ch01_precision_ladder
