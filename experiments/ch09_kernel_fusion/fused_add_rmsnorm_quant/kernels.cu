// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <initializer_list>

#include <cuda_fp8.h>

#include <ridge/gpu/bf16x2.cuh>
#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/reduce.cuh>

#include "fused_add_rmsnorm_quant.hpp"

namespace ridge::experiments::ch09_fused_add_rmsnorm_quant {
namespace {

// Arrays as the kernels see them; sums and normalized rows are bf16.
struct arrays {
  const std::uint16_t *x, *residual, *weight;
  std::uint16_t* sum;
  std::uint8_t* quantized;
  float* scales;
  std::size_t columns;
};

// Count elements, 16 bytes of bf16 or one, as floats.
template <unsigned Count>
struct elements {
  float v[Count];
  __device__ explicit elements(const std::uint16_t* source) {
    if constexpr (Count == 1) {
      v[0] = __uint_as_float(std::uint32_t{*source} << 16);
    } else {
      const uint4 q = *reinterpret_cast<const uint4*>(source);
      const std::uint32_t words[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
      for (unsigned i = 0; i < Count; ++i) v[i] = gpu::bf16_of(words[i / 2], i % 2);
    }
  }
  // Stores them as bf16.
  __device__ void store(std::uint16_t* target) const {
    if constexpr (Count == 1)
      *target = static_cast<std::uint16_t>(gpu::bf16x2(v[0], 0));
    else
      *reinterpret_cast<uint4*>(target) = make_uint4(gpu::bf16x2(v[0], v[1]), gpu::bf16x2(v[2], v[3]),
                                                     gpu::bf16x2(v[4], v[5]), gpu::bf16x2(v[6], v[7]));
  }
  // Stores them, times `factor`, as e4m3.
  __device__ void quantize(std::uint8_t* target, float factor) const {
    if constexpr (Count == 1) {
      *target = __nv_cvt_float_to_fp8(v[0] * factor, __NV_SATFINITE, __NV_E4M3);
    } else {
      std::uint32_t words[2];
#pragma unroll
      for (unsigned i = 0; i < 2; ++i) {
        const auto pair = [&](unsigned j) -> std::uint32_t {
          return __nv_cvt_float2_to_fp8x2(make_float2(v[j] * factor, v[j + 1] * factor), __NV_SATFINITE,
                                          __NV_E4M3);
        };
        words[i] = pair(4 * i) | pair(4 * i + 2) << 16;
      }
      *reinterpret_cast<uint2*>(target) = make_uint2(words[0], words[1]);
    }
  }
  // What the sum holds once it is stored.
  __device__ void add_rounded(const elements& other) {
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) v[i] = gpu::low_bf16(gpu::bf16x2(v[i] + other.v[i], 0));
  }
  __device__ void multiply(const elements& other) {
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) v[i] *= other.v[i];
  }
  __device__ float largest(float before) const {
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) before = fmaxf(before, fabsf(v[i]));
    return before;
  }
  __device__ float squares(float before) const {
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) before = fmaf(v[i], v[i], before);
    return before;
  }
};

__device__ float to_e4m3(float largest) { return largest > 0 ? largest_e4m3 / largest : 0; }

constexpr unsigned threads = 256, most_threads = 1024;

__global__ void __launch_bounds__(threads) widen(const std::uint16_t* source, float* target, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t{threads} + threadIdx.x;
  if (i < n) target[i] = elements<1>(source + i).v[0];
}

template <unsigned Count>
__global__ void __launch_bounds__(threads) add(arrays a, std::size_t n) {
  const std::size_t i = (blockIdx.x * std::size_t{threads} + threadIdx.x) * Count;
  if (i >= n) return;
  elements<Count> sum(a.x + i);
  sum.add_rounded(elements<Count>(a.residual + i));
  sum.store(a.sum + i);
}

// A block a row, here and below.
template <unsigned Count>
__global__ void __launch_bounds__(threads) normalize(arrays a, std::uint16_t* normalized) {
  const std::size_t row = blockIdx.x * a.columns;
  float squares = 0;
  for (std::size_t i = threadIdx.x * Count; i < a.columns; i += threads * Count)
    squares = elements<Count>(a.sum + row + i).squares(squares);
  squares = gpu::over_block(squares, gpu::sum_of{});
  const float inverse = rsqrtf(squares / static_cast<float>(a.columns) + epsilon);
  for (std::size_t i = threadIdx.x * Count; i < a.columns; i += threads * Count) {
    elements<Count> e(a.sum + row + i);
    e.multiply(elements<Count>(a.weight + i));
#pragma unroll
    for (auto& v : e.v) v *= inverse;
    e.store(normalized + row + i);
  }
}

template <unsigned Count>
__global__ void __launch_bounds__(threads) quantize(arrays a, const std::uint16_t* normalized) {
  const std::size_t row = blockIdx.x * a.columns;
  float largest = 0;
  for (std::size_t i = threadIdx.x * Count; i < a.columns; i += threads * Count)
    largest = elements<Count>(normalized + row + i).largest(largest);
  largest = gpu::over_block(largest, gpu::most_of{});
  if (threadIdx.x == 0) a.scales[blockIdx.x] = largest / largest_e4m3;
  for (std::size_t i = threadIdx.x * Count; i < a.columns; i += threads * Count)
    elements<Count>(normalized + row + i).quantize(a.quantized + row + i, to_e4m3(largest));
}

// The root mean square scales the largest magnitude as it scales all others: it is not needed for the codes,
// and both reductions are done in one sweep.
template <unsigned Count>
__global__ void __launch_bounds__(threads) fused(arrays a) {
  const std::size_t row = blockIdx.x * a.columns;
  float squares = 0, largest = 0;
  for (std::size_t i = threadIdx.x * Count; i < a.columns; i += threads * Count) {
    elements<Count> e(a.x + row + i);
    e.add_rounded(elements<Count>(a.residual + row + i));
    e.store(a.sum + row + i);
    squares = e.squares(squares);
    e.multiply(elements<Count>(a.weight + i));
    largest = e.largest(largest);
  }
  squares = gpu::over_block(squares, gpu::sum_of{});
  largest = gpu::over_block(largest, gpu::most_of{});
  if (threadIdx.x == 0)
    a.scales[blockIdx.x] = largest * rsqrtf(squares / static_cast<float>(a.columns) + epsilon) / largest_e4m3;
  for (std::size_t i = threadIdx.x * Count; i < a.columns; i += threads * Count) {
    elements<Count> e(a.sum + row + i);
    e.multiply(elements<Count>(a.weight + i));
    e.quantize(a.quantized + row + i, to_e4m3(largest));
  }
}

// The block's sum of squares and largest magnitude, with one barrier.
__device__ float2 over_row(float squares, float largest) {
  __shared__ float2 of_warp[gpu::warp_lanes];
  squares = gpu::over_warp(squares, gpu::sum_of{});
  largest = gpu::over_warp(largest, gpu::most_of{});
  const unsigned lane = threadIdx.x % gpu::warp_lanes;
  if (lane == 0) of_warp[threadIdx.x / gpu::warp_lanes] = make_float2(squares, largest);
  __syncthreads();
  const float2 part = lane < blockDim.x / gpu::warp_lanes ? of_warp[lane] : make_float2(0, 0);
  return make_float2(gpu::over_warp(part.x, gpu::sum_of{}), gpu::over_warp(part.y, gpu::most_of{}));
}

// Eight neighbouring elements a thread, Vectors times. Registers keep sum * weight.
template <unsigned Vectors>
__global__ void __launch_bounds__(most_threads) resident(arrays a) {
  constexpr unsigned count = 8;
  const std::size_t row = blockIdx.x * a.columns;
  const auto column = [&](unsigned u) { return (u * blockDim.x + threadIdx.x) * count; };
  float squares = 0, largest = 0;
  uint4 kept[Vectors];
#pragma unroll
  for (unsigned u = 0; u < Vectors; ++u) {
    if (column(u) >= a.columns) continue;
    elements<count> e(a.x + row + column(u));
    e.add_rounded(elements<count>(a.residual + row + column(u)));
    e.store(reinterpret_cast<std::uint16_t*>(&kept[u]));
    *reinterpret_cast<uint4*>(a.sum + row + column(u)) = kept[u];
    squares = e.squares(squares);
    e.multiply(elements<count>(a.weight + column(u)));
    largest = e.largest(largest);
  }
  const float2 found = over_row(squares, largest);
  if (threadIdx.x == 0)
    a.scales[blockIdx.x] = found.y * rsqrtf(found.x / static_cast<float>(a.columns) + epsilon) / largest_e4m3;
#pragma unroll
  for (unsigned u = 0; u < Vectors; ++u) {
    if (column(u) >= a.columns) continue;
    elements<count> e(reinterpret_cast<const std::uint16_t*>(&kept[u]));
    e.multiply(elements<count>(a.weight + column(u)));
    e.quantize(a.quantized + row + column(u), to_e4m3(found.y));
  }
}

arrays arrays_of(const workload& w) {
  return {reinterpret_cast<const std::uint16_t*>(w.x.data()),
          reinterpret_cast<const std::uint16_t*>(w.residual.data()),
          reinterpret_cast<const std::uint16_t*>(w.weight.data()),
          reinterpret_cast<std::uint16_t*>(w.sum.data()),
          reinterpret_cast<std::uint8_t*>(w.quantized.data()),
          w.scales.data(),
          w.columns};
}

// Whether rows begin where 16 bytes of bf16 and 8 of e4m3 may be accessed.
bool aligned(const workload& w) {
  std::uintptr_t low_bits = w.columns % 8;
  for (const void* p : {static_cast<const void*>(w.x.data()), static_cast<const void*>(w.residual.data()),
                        static_cast<const void*>(w.weight.data()), static_cast<const void*>(w.sum.data()),
                        static_cast<const void*>(w.quantized.data())})
    low_bits |= reinterpret_cast<std::uintptr_t>(p) % 16;
  return low_bits == 0;
}

gpu::launch_shape block_a_row(const workload& w, unsigned block_threads, stream queue) {
  return {gpu::blocks_for(w.rows, 1), block_threads, 0, queue};
}

}  // namespace

void launch_widen(const workload& w, std::span<float> target, stream queue) {
  if (target.empty()) return;
  gpu::launch(widen, {gpu::blocks_for(target.size(), threads), threads, 0, queue}, arrays_of(w).weight,
              target.data(), target.size());
}

void launch_add(const workload& w, stream queue) {
  if (w.sum.empty()) return;
  const unsigned count = aligned(w) ? 8 : 1;
  gpu::launch(count == 8 ? add<8> : add<1>,
              {gpu::blocks_for(w.sum.size(), std::size_t{threads} * count), threads, 0, queue}, arrays_of(w),
              w.sum.size());
}

void launch_quantize(const workload& w, std::span<const bf16> normalized, stream queue) {
  if (w.rows == 0) return;
  gpu::launch(aligned(w) ? quantize<8> : quantize<1>, block_a_row(w, threads, queue), arrays_of(w),
              reinterpret_cast<const std::uint16_t*>(normalized.data()));
}

void launch_three(const workload& w, std::span<bf16> normalized, stream queue) {
  if (w.rows == 0) return;
  launch_add(w, queue);
  gpu::launch(aligned(w) ? normalize<8> : normalize<1>, block_a_row(w, threads, queue), arrays_of(w),
              reinterpret_cast<std::uint16_t*>(normalized.data()));
  launch_quantize(w, normalized, queue);
}

void launch_fused(const workload& w, stream queue) {
  if (w.rows == 0) return;
  gpu::launch(aligned(w) ? fused<8> : fused<1>, block_a_row(w, threads, queue), arrays_of(w));
}

// Rows that are not aligned, or longer than the registers of a block, are read twice.
void launch_resident(const workload& w, stream queue) {
  const auto vectors = w.columns / 8;
  if (!aligned(w) || vectors == 0 || vectors > 4 * most_threads) return launch_fused(w, queue);
  if (w.rows == 0) return;
  const auto used = std::min<unsigned>(most_threads, gpu::blocks_for(vectors, 32) * 32);
  const auto each = gpu::blocks_for(vectors, used);
  gpu::launch(each == 1   ? resident<1>
              : each == 2 ? resident<2>
                          : resident<4>,
              block_a_row(w, used, queue), arrays_of(w));
}

}  // namespace ridge::experiments::ch09_fused_add_rmsnorm_quant
