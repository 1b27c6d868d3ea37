// SPDX-License-Identifier: Apache-2.0
#include "kernels.cuh"

#include <ridge/gpu/check.hpp>

#include "timing_pitfalls.hpp"

namespace ridge::experiments::ch01_timing_pitfalls {
namespace {

constexpr unsigned threads = 256, of_thread = 4, of_block = threads * of_thread;

unsigned blocks_for(std::size_t n) { return static_cast<unsigned>((n + of_block - 1) / of_block); }

// Element j of a thread; neighbouring lanes take neighbouring ones.
__device__ std::size_t own(unsigned j) {
  return blockIdx.x * std::size_t{of_block} + j * threads + threadIdx.x;
}

// `passes` times over elements [0, slice) of what begins `step` further on each time, up to n. Loads go past
// the first-level cache, where a thread would find what it halved in the pass before.
__global__ void __launch_bounds__(threads)
    halve_slices(const float* from, float* to, std::size_t n, std::size_t slice, std::size_t step,
                 unsigned passes) {
  for (unsigned pass = 0; pass < passes; ++pass) {
    const std::size_t begin = pass * step, end = min(begin + slice, n);
    float v[of_thread];
#pragma unroll
    for (unsigned j = 0; j < of_thread; ++j) {
      if (begin + own(j) < end) v[j] = __ldcg(from + begin + own(j));
    }
#pragma unroll
    for (unsigned j = 0; j < of_thread; ++j) {
      if (begin + own(j) < end) to[begin + own(j)] = 0.5F * v[j];
    }
  }
}

__global__ void __launch_bounds__(threads)
    look_up(const float* __restrict__ table, const float* __restrict__ keys, float* __restrict__ result,
            std::size_t n) {
#pragma unroll
  for (unsigned j = 0; j < of_thread; ++j) {
    const std::size_t i = own(j);
    if (i < n) result[i] = table[slot_of(keys[i], keys[i + 1 < n ? i + 1 : 0], n)];
  }
}

void enqueue_slices(std::span<const float> from, std::span<float> to, std::size_t slice, std::size_t step,
                    unsigned passes, cudaStream_t on) {
  if (from.empty()) return;
  halve_slices<<<blocks_for(slice), threads, 0, on>>>(from.data(), to.data(), from.size(), slice, step,
                                                      passes);
  gpu::check_launch("halve_slices");
}

}  // namespace

void enqueue_halving(std::span<const float> from, std::span<float> to, cudaStream_t on) {
  enqueue_slices(from, to, from.size(), 0, 1, on);
}

void enqueue_halving_in_slices(std::span<const float> from, std::span<float> to, visits order,
                               cudaStream_t on) {
  const std::size_t slice = (from.size() + slices - 1) / slices;
  enqueue_slices(from, to, slice, order == visits::every_slice_once ? slice : 0, slices, on);
}

void enqueue_look_up(std::span<const float> table, std::span<const float> keys, std::span<float> result,
                     cudaStream_t on) {
  if (table.empty()) return;
  look_up<<<blocks_for(table.size()), threads, 0, on>>>(table.data(), keys.data(), result.data(),
                                                        table.size());
  gpu::check_launch("look_up");
}

}  // namespace ridge::experiments::ch01_timing_pitfalls
