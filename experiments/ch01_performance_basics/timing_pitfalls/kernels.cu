// SPDX-License-Identifier: Apache-2.0
#include "kernels.hpp"

#include <ridge/gpu/launch.cuh>

#include "slot_of.hpp"

namespace ridge::experiments::ch01_timing_pitfalls {
namespace {

constexpr unsigned threads = 256, of_thread = 4, of_block = threads * of_thread;

// Element j of a thread; neighbouring lanes take neighbouring ones.
__device__ std::size_t own(unsigned j) {
  return blockIdx.x * std::size_t{of_block} + j * threads + threadIdx.x;
}

// `passes` times over elements [0, slice) of what begins `step` further on each time, up to n. Loads go past
// the first-level cache, where a thread would find what it halved in the pass before.
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
                   std::size_t step, unsigned passes, cudaStream_t stream) {
  if (source.empty()) return;
  gpu::launch(halve_slices, {gpu::blocks_for(slice, of_block), threads, 0, stream}, source.data(),
              target.data(), source.size(), slice, step, passes);
}

}  // namespace

void launch_halving(std::span<const float> source, std::span<float> target, cudaStream_t stream) {
  launch_slices(source, target, source.size(), 0, 1, stream);
}

void launch_halving_in_slices(std::span<const float> source, std::span<float> target, visits order,
                              cudaStream_t stream) {
  const std::size_t slice = (source.size() + slices - 1) / slices;
  launch_slices(source, target, slice, order == visits::every_slice_once ? slice : 0, slices, stream);
}

void launch_look_up(std::span<const float> table, std::span<const float> keys, std::span<float> result,
                    cudaStream_t stream) {
  if (table.empty()) return;
  gpu::launch(look_up, {gpu::blocks_for(table.size(), of_block), threads, 0, stream}, table.data(),
              keys.data(), result.data(), table.size());
}

}  // namespace ridge::experiments::ch01_timing_pitfalls
