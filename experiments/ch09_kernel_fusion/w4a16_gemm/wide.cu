// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include <ridge/gpu/bf16x2.cuh>
#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/reduce.cuh>

#include "w4a16_gemm.hpp"

// Weights in bf16: made of the stored ones, and multiplied.
namespace ridge::experiments::ch09_w4a16_gemm {
namespace {

constexpr unsigned threads = 256;

__device__ float e2m1_value(unsigned code) {
  const float magnitude = (code & 6U) == 0 ? static_cast<float>(code & 1U) * 0.5F
                                           : __uint_as_float(((code & 7U) << 22) + (126U << 23));
  return code & 8U ? -magnitude : magnitude;
}

__device__ float e4m3_value(unsigned bits) {
  return bits < 8 ? static_cast<float>(bits) * 0x1p-9F : __uint_as_float((bits << 20) + (120U << 23));
}

__global__ void __launch_bounds__(threads) widen(const std::uint8_t* codes, const std::uint8_t* scales,
                                                 format coding, std::uint16_t* target, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t{threads} + threadIdx.x;
  if (i >= n) return;
  const unsigned code = codes[i / 2] >> (4 * (i % 2)) & 15U;
  const std::size_t s = i / terms_a_scale(coding);
  float weight = 0;
  if (coding == format::int4)
    weight = (static_cast<float>(code) - 8) * gpu::low_bf16(scales[2 * s] | scales[2 * s + 1] << 8);
  else if (coding == format::nvfp4)
    weight = e2m1_value(code) * e4m3_value(scales[s]);
  else
    weight = e2m1_value(code) * __uint_as_float(std::uint32_t{scales[s]} << 23);
  target[i] = static_cast<std::uint16_t>(gpu::bf16x2(weight, 0));
}

constexpr unsigned most_tokens = 8;

// Eight products of a vector of weights and one of activations.
__device__ float add_products(uint4 w, uint4 a, float sum) {
  const std::uint32_t x[4] = {w.x, w.y, w.z, w.w}, y[4] = {a.x, a.y, a.z, a.w};
#pragma unroll
  for (unsigned i = 0; i < 4; ++i) {
    sum = fmaf(gpu::low_bf16(x[i]), gpu::low_bf16(y[i]), sum);
    sum = fmaf(gpu::high_bf16(x[i]), gpu::high_bf16(y[i]), sum);
  }
  return sum;
}

// A warp a row, for the tokens blockIdx.y * 8 ...; terms: a multiple of eight.
__global__ void __launch_bounds__(threads)
    multiply_rows(const uint4* weights, const uint4* a, std::uint16_t* c, unsigned tokens, unsigned rows,
                  unsigned vectors) {
  const unsigned row = blockIdx.x * (threads / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  const unsigned first = blockIdx.y * most_tokens;
  if (row >= rows) return;
  float sums[most_tokens] = {};
  for (unsigned v = lane; v < vectors; v += 32) {
    const uint4 w = weights[std::size_t{row} * vectors + v];
#pragma unroll
    for (unsigned t = 0; t < most_tokens; ++t)
      if (first + t < tokens) sums[t] = add_products(w, a[std::size_t{first + t} * vectors + v], sums[t]);
  }
#pragma unroll
  for (unsigned t = 0; t < most_tokens; ++t) {
    const float sum = gpu::over_warp(sums[t], gpu::sum_of{});
    if (lane == 0 && first + t < tokens)
      c[std::size_t{first + t} * rows + row] = static_cast<std::uint16_t>(gpu::bf16x2(sum, 0));
  }
}

}  // namespace

void launch_widen(const workload& w, std::span<bf16> target, stream queue) {
  if (target.empty()) return;
  gpu::launch(widen, {gpu::blocks_for(target.size(), threads), threads, 0, queue}, w.codes.data(),
              w.scales.data(), w.coding, reinterpret_cast<std::uint16_t*>(target.data()), target.size());
}

// Rows of activations begin at multiples of 256 bytes of an array that the harness aligns.
void launch_wide(const workload& w, stream queue) {
  if (w.c.empty()) return;
  const dim3 blocks(gpu::blocks_for(w.rows, threads / 32), gpu::blocks_for(w.tokens, most_tokens));
  gpu::launch(
      multiply_rows, {blocks, threads, 0, queue}, reinterpret_cast<const uint4*>(w.own_wide.wide.data()),
      reinterpret_cast<const uint4*>(w.a.data()), reinterpret_cast<std::uint16_t*>(w.c.data()),
      static_cast<unsigned>(w.tokens), static_cast<unsigned>(w.rows), static_cast<unsigned>(w.terms / 8));
}

}  // namespace ridge::experiments::ch09_w4a16_gemm
