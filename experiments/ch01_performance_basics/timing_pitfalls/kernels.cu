// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/launch.cuh>

#include "steps.hpp"

namespace ridge::experiments::ch01_timing_pitfalls {
namespace {

constexpr unsigned threads = 256, of_thread = 4, of_block = threads * of_thread;

// Returns the index of a thread's element j; neighbouring lanes take neighbouring elements.
__device__ std::size_t own(unsigned j) {
  return blockIdx.x * std::size_t{of_block} + j * threads + threadIdx.x;
}

// Halves `slice` elements `passes` times, beginning `step` elements further on each time, up to n. Loads
// bypass the first-level cache, where a thread would find what it halved in the pass before.
__global__ void __launch_bounds__(threads)
    halve_slices(const float* source, float* target, std::size_t n, std::size_t slice, std::size_t step,
                 unsigned passes) {
  for (unsigned pass = 0; pass < passes; ++pass) {
    const std::size_t begin = pass * step, end = min(begin + slice, n);
    float v[of_thread];
#pragma unroll
    for (unsigned j = 0; j < of_thread; ++j) {
      if (begin + own(j) < end) v[j] = __ldcg(source + begin + own(j));
    }
#pragma unroll
    for (unsigned j = 0; j < of_thread; ++j) {
      if (begin + own(j) < end) target[begin + own(j)] = 0.5F * v[j];
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

void launch_slices(std::span<const float> source, std::span<float> target, std::size_t slice,
                   std::size_t step, unsigned passes, stream queue) {
  if (source.empty()) return;
  gpu::launch(halve_slices, {gpu::blocks_for(slice, of_block), threads, 0, queue}, source.data(),
              target.data(), source.size(), slice, step, passes);
}

}  // namespace

void launch_halving(std::span<const float> source, std::span<float> target, stream queue) {
  launch_slices(source, target, source.size(), 0, 1, queue);
}

void launch_halving_in_slices(std::span<const float> source, std::span<float> target, visits order,
                              stream queue) {
  const std::size_t slice = (source.size() + slices - 1) / slices;
  launch_slices(source, target, slice, order == visits::every_slice_once ? slice : 0, slices, queue);
}

void launch_look_up(std::span<const float> table, std::span<const float> keys, std::span<float> result,
                    stream queue) {
  if (table.empty()) return;
  gpu::launch(look_up, {gpu::blocks_for(table.size(), of_block), threads, 0, queue}, table.data(),
              keys.data(), result.data(), table.size());
}

}  // namespace ridge::experiments::ch01_timing_pitfalls
