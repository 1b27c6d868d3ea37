// SPDX-License-Identifier: Apache-2.0
// What the questions ask for, and the same left out in part.
#include "kernels.hpp"

#include <cuda_fp16.h>

#include <ridge/gpu/launch.cuh>

namespace ridge::cheats::cuda {
namespace {

constexpr unsigned threads = 128;

__device__ std::size_t own_index() { return blockIdx.x * std::size_t{threads} + threadIdx.x; }

gpu::launch_shape shape_for(std::size_t count, queue_handle queue) {
  return {gpu::blocks_for(count, threads), threads, 0, queue};
}

__device__ std::uint32_t step(std::uint32_t state, std::uint32_t source) {
  return (state ^ (state >> 15)) * mixing_multiplier + source;
}
__device__ std::uint32_t steps_from(std::uint32_t state, std::uint32_t source, int count) {
#pragma unroll 4
  for (int i = 0; i < count; ++i) state = step(state, source);
  return state;
}
__device__ float number(std::uint32_t state) { return static_cast<float>(state >> 8) * 0x1p-24F; }

__device__ float mixed(float x, int steps) {
  const auto bits = __float_as_uint(x);
  return number(steps_from(bits, bits, steps));
}

__global__ void __launch_bounds__(threads) affine(const float* source, float* target, std::size_t count) {
  const auto i = own_index();
  if (i < count) target[i] = 2 * source[i] + 1;
}

__global__ void __launch_bounds__(threads)
    mix(const float* source, float* target, std::size_t count, int steps) {
  const auto i = own_index();
  if (i < count) target[i] = mixed(source[i], steps);
}

__global__ void __launch_bounds__(threads)
    mix_first(const float* source, std::uint32_t* states, std::size_t count, int steps) {
  const auto i = own_index();
  if (i >= count) return;
  const auto bits = __float_as_uint(source[i]);
  states[i] = steps_from(bits, bits, steps);
}

__global__ void __launch_bounds__(threads)
    mix_last(const float* source, const std::uint32_t* states, float* target, std::size_t count, int steps) {
  const auto i = own_index();
  if (i < count) target[i] = number(steps_from(states[i], __float_as_uint(source[i]), steps));
}

__global__ void __launch_bounds__(threads)
    mix_on_poison(const float* source, float* target, std::size_t count, int steps) {
  const auto i = own_index();
  if (i < count && isnan(target[i])) target[i] = mixed(source[i], steps);
}

__global__ void __launch_bounds__(threads)
    mix_unless(const std::uint32_t* skip, const float* source, float* target, std::size_t count, int steps) {
  if (*skip != 0) return;
  const auto i = own_index();
  if (i < count) target[i] = mixed(source[i], steps);
}

__global__ void __launch_bounds__(threads)
    mix_some_blocks(const float* source, float* target, std::size_t count, int steps) {
  const auto i = own_index();
  if (i < count && blockIdx.x % 3 == 0) target[i] = mixed(source[i], steps);
}

__global__ void __launch_bounds__(threads)
    mix_or_zero(const float* source, float* target, std::size_t count, int steps, bool early) {
  const auto i = own_index();
  if (i >= count) return;
  const float x = source[i];
  const float y = early && x < 0 ? 0 : mixed(x, steps);
  target[i] = x < 0 ? 0 : y;
}

__global__ void __launch_bounds__(threads)
    roots(const float* source, float* target, std::size_t count, int steps) {
  const auto i = own_index();
  if (i >= count) return;
  float y = 1;
  for (int k = 0; k < steps; ++k) y = __fdiv_rn(1, __fsqrt_rn(source[i] + y));
  target[i] = y;
}

__global__ void __launch_bounds__(threads)
    estimated_roots(const float* source, float* target, std::size_t count, int steps) {
  const auto i = own_index();
  if (i >= count) return;
  float y = 1;
  for (int k = 0; k < steps; ++k) y = rsqrtf(source[i] + y);
  target[i] = y;
}

__global__ void __launch_bounds__(threads)
    half_roots(const float* source, float* target, std::size_t count, int steps) {
  const auto i = own_index();
  if (i >= count) return;
  const __half x = __float2half(source[i]);
  __half y = __float2half(1);
  for (int k = 0; k < steps; ++k) y = hrsqrt(__hadd(x, y));
  target[i] = __half2float(y);
}

__global__ void set_word(std::uint32_t* word, std::uint32_t value) { *word = value; }

__global__ void __launch_bounds__(threads)
    compare(const float* source, float* kept, std::size_t count, std::uint32_t* same) {
  const auto i = own_index();
  if (i >= count || __float_as_uint(source[i]) == __float_as_uint(kept[i])) return;
  kept[i] = source[i];
  *same = 0;
}

constexpr unsigned hashing_threads = 1024;

__global__ void __launch_bounds__(hashing_threads)
    hash(const float* source, std::size_t count, std::uint64_t* sum, std::uint32_t* same) {
  __shared__ unsigned long long whole;
  if (threadIdx.x == 0) whole = 0;
  __syncthreads();
  unsigned long long own = 0;
  for (std::size_t i = threadIdx.x; i < count; i += hashing_threads)
    own += (__float_as_uint(source[i]) ^ (i * 0x9e3779b9U)) * 0x9e3779b97f4a7c15ULL;
  atomicAdd(&whole, own);
  __syncthreads();
  if (threadIdx.x != 0) return;
  *same = *sum == whole ? 1 : 0;
  *sum = whole;
}

__global__ void __launch_bounds__(threads)
    copy_if(const std::uint32_t* same, const float* kept, float* target, std::size_t count) {
  const auto i = own_index();
  if (*same != 0 && i < count) target[i] = kept[i];
}

}  // namespace

void launch_affine(const float* source, float* target, std::size_t count, queue_handle queue) {
  gpu::launch(affine, shape_for(count, queue), source, target, count);
}
void launch_mixed(const float* source, float* target, std::size_t count, int steps, queue_handle queue) {
  gpu::launch(mix, shape_for(count, queue), source, target, count, steps);
}
void launch_first_steps(const float* source, std::uint32_t* states, std::size_t count, int steps,
                        queue_handle queue) {
  gpu::launch(mix_first, shape_for(count, queue), source, states, count, steps);
}
void launch_last_steps(const float* source, const std::uint32_t* states, float* target, std::size_t count,
                       int steps, queue_handle queue) {
  gpu::launch(mix_last, shape_for(count, queue), source, states, target, count, steps);
}
void launch_mixed_or_zero(const float* source, float* target, std::size_t count, int steps, bool early,
                          queue_handle queue) {
  gpu::launch(mix_or_zero, shape_for(count, queue), source, target, count, steps, early);
}
void launch_roots(const float* source, float* target, std::size_t count, int steps, queue_handle queue) {
  gpu::launch(roots, shape_for(count, queue), source, target, count, steps);
}
void launch_estimated_roots(const float* source, float* target, std::size_t count, int steps,
                            queue_handle queue) {
  gpu::launch(estimated_roots, shape_for(count, queue), source, target, count, steps);
}
void launch_half_roots(const float* source, float* target, std::size_t count, int steps, queue_handle queue) {
  gpu::launch(half_roots, shape_for(count, queue), source, target, count, steps);
}
void launch_mixed_on_poison(const float* source, float* target, std::size_t count, int steps,
                            queue_handle queue) {
  gpu::launch(mix_on_poison, shape_for(count, queue), source, target, count, steps);
}
void launch_mixed_unless(const std::uint32_t* skip, const float* source, float* target, std::size_t count,
                         int steps, queue_handle queue) {
  gpu::launch(mix_unless, shape_for(count, queue), skip, source, target, count, steps);
}
void launch_some_blocks_mixed(const float* source, float* target, std::size_t count, int steps,
                              queue_handle queue) {
  gpu::launch(mix_some_blocks, shape_for(count, queue), source, target, count, steps);
}
void launch_comparison(const float* source, float* kept, std::size_t count, std::uint32_t* same,
                       queue_handle queue) {
  gpu::launch(set_word, {1, 1, 0, queue}, same, 1U);
  gpu::launch(compare, shape_for(count, queue), source, kept, count, same);
}
void launch_hash(const float* source, std::size_t count, std::uint64_t* sum, std::uint32_t* same,
                 queue_handle queue) {
  gpu::launch(hash, {1, hashing_threads, 0, queue}, source, count, sum, same);
}
void launch_copy_if(const std::uint32_t* same, const float* kept, float* target, std::size_t count,
                    queue_handle queue) {
  gpu::launch(copy_if, shape_for(count, queue), same, kept, target, count);
}

}  // namespace ridge::cheats::cuda
