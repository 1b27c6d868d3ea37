// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <ridge/gpu/reduce.cuh>

#include "plane_product.cuh"

// Splitting the rows of an operand into planes.
namespace ridge::experiments::ch09_fp32_accurate_gemm {

inline constexpr unsigned split_threads = 256;

__device__ inline void split_number(float x, __nv_bfloat16 (&planes)[3]) {
  planes[0] = __float2bfloat16_rn(x);
  const float rest = x - __bfloat162float(planes[0]);
  planes[1] = __float2bfloat16_rn(rest);
  planes[2] = __float2bfloat16_rn(rest - __bfloat162float(planes[1]));
}
__device__ inline void split_number(float x, __half (&planes)[2]) {
  planes[0] = __float2half_rn(x);
  planes[1] = __float2half_rn(x - __half2float(planes[0]));
}
// tf32 is the upper 19 bits of a float.
__device__ inline float rounded_to_tf32(float x) {
  std::uint32_t bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
  return __uint_as_float(bits);
}
__device__ inline void split_number(float x, float (&planes)[2]) {
  planes[0] = rounded_to_tf32(x);
  planes[1] = rounded_to_tf32(x - planes[0]);
}

template <class Planes>
struct plane_number;
template <>
struct plane_number<bf16_planes> {
  using type = __nv_bfloat16;
};
template <>
struct plane_number<tf32_planes> {
  using type = float;
};
template <>
struct plane_number<fp16_planes> {
  using type = __half;
};

// The power of two that brings a row whose largest magnitude is `most` to just below 2^15, so that fp16 holds
// small numbers with all of their bits as well; 2^126 at most.
__device__ inline float scale_of(float most) {
  const int exponent = most > 0 ? ilogbf(most) : 0;
  return exp2f(static_cast<float>(max(-126, min(126, 14 - exponent))));
}

template <class Number>
struct alignas(4 * sizeof(Number)) number_quad {
  Number number[4];
};

// A block a row, four numbers a thread at a time. `planes` are matrices like `source`, one below the other,
// whose rows begin at multiples of 16 bytes; a row's factor is the inverse of its scale, 1 for types that
// have the exponents of fp32.
template <class Planes>
__global__ void __launch_bounds__(split_threads)
    split_rows(const float* source, typename plane_number<Planes>::type* planes, float* factors,
               unsigned columns, unsigned pitch) {
  using number = typename plane_number<Planes>::type;
  const auto* const row = reinterpret_cast<const float4*>(source + std::size_t{blockIdx.x} * pitch);
  float scale = 1;
  if constexpr (Planes::type == CU_TENSOR_MAP_DATA_TYPE_FLOAT16) {
    float most = 0;
    for (unsigned i = threadIdx.x; i < pitch / 4; i += split_threads) {
      const float4 quad = row[i];
      const float each[4] = {quad.x, quad.y, quad.z, quad.w};
#pragma unroll
      for (unsigned u = 0; u < 4; ++u) most = 4 * i + u < columns ? fmaxf(most, fabsf(each[u])) : most;
    }
    scale = scale_of(gpu::over_block(most, gpu::most_of{}));
  }
  if (threadIdx.x == 0) factors[blockIdx.x] = 1 / scale;
  const auto plane = std::size_t{gridDim.x} * pitch / 4;
  auto* const target = reinterpret_cast<number_quad<number>*>(planes) + std::size_t{blockIdx.x} * pitch / 4;
  for (unsigned i = threadIdx.x; i < pitch / 4; i += split_threads) {
    const float4 quad = row[i];
    const float each[4] = {quad.x, quad.y, quad.z, quad.w};
    number_quad<number> of_plane[Planes::planes];
#pragma unroll
    for (unsigned u = 0; u < 4; ++u) {
      number parts[Planes::planes];
      split_number(each[u] * scale, parts);
#pragma unroll
      for (unsigned p = 0; p < Planes::planes; ++p) of_plane[p].number[u] = parts[p];
    }
#pragma unroll
    for (unsigned p = 0; p < Planes::planes; ++p) target[p * plane + i] = of_plane[p];
  }
}

}  // namespace ridge::experiments::ch09_fp32_accurate_gemm
