// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>

#include <ridge/base/error.hpp>
#include <ridge/gpu/check.hpp>
#include <ridge/gpu/launch.cuh>

#include "double_buffering.hpp"

namespace ridge::experiments::ch01_double_buffering {
namespace {

constexpr unsigned threads = 256, warps = threads / 32;
constexpr std::size_t block_quads = block_floats / 4, row_quads = row_floats / 4;
constexpr unsigned quads_of_thread = row_quads / threads;

// The sources of the rows' values: each returns quad q, four floats.
struct in_order {
  const float4* values;
  __device__ float4 operator()(std::size_t q) const { return values[q]; }
};
struct gathered {
  const float4* table;
  const std::uint32_t* order;
  __device__ float4 operator()(std::size_t q) const {
    return table[order[q / block_quads] * block_quads + q % block_quads];
  }
};

__device__ float sum_over_block(float own) {
  __shared__ float of_warp[warps];
  for (int step = 16; step != 0; step /= 2) own += __shfl_xor_sync(~0U, own, step);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = own;
  __syncthreads();
  float total = 0;
  for (const float part : of_warp) total += part;
  return total;
}

using quads_in_registers = float4[quads_of_thread];

__device__ std::size_t own_quad(std::size_t first, unsigned i) { return first + i * threads + threadIdx.x; }

__device__ float4 scaled(const float4& x, float factor) {
  return {x.x * factor, x.y * factor, x.z * factor, x.w * factor};
}

__device__ float sum_of_squares(const quads_in_registers& x) {
  float sum = 0;
#pragma unroll
  for (const float4& q : x) sum += q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
  return sum;
}

// Each coefficient loaded serves 32 multiply-adds that do not depend on each other.
__device__ void evaluate(const float* __restrict__ coefficients, unsigned terms, const quads_in_registers& x,
                         quads_in_registers& y) {
#pragma unroll 4
  for (unsigned k = 0; k < terms; ++k) {
    const float c = coefficients[k];
#pragma unroll
    for (unsigned i = 0; i < quads_of_thread; ++i) {
      y[i] = {fmaf(y[i].x, x[i].x, c), fmaf(y[i].y, x[i].y, c), fmaf(y[i].z, x[i].z, c),
              fmaf(y[i].w, x[i].w, c)};
    }
  }
}

// A block of threads holds its row in registers, 32 elements a thread.
template <class Source>
__global__ void __launch_bounds__(threads, 2)
    compute_row_of_block(Source source, const float* __restrict__ coefficients, unsigned terms,
                         float4* result, std::size_t quads) {
  const std::size_t first = blockIdx.x * row_quads, end = min(first + row_quads, quads);
  quads_in_registers x, y = {};
#pragma unroll
  for (unsigned i = 0; i < quads_of_thread; ++i) {
    const auto q = own_quad(first, i);
    x[i] = q < end ? source(q) : float4{};
  }
  const float mean = sum_over_block(sum_of_squares(x)) / as_float(4 * (end - first));
  const float scale = 1 / (8 * sqrtf(mean));
#pragma unroll
  for (float4& q : x) q = scaled(q, scale);
  evaluate(coefficients, terms, x, y);
#pragma unroll
  for (unsigned i = 0; i < quads_of_thread; ++i) {
    if (own_quad(first, i) < end) result[own_quad(first, i)] = y[i];
  }
}

// Each warp asks for whole blocks of 256 bytes, with four loads of 16 bytes per thread in flight at once:
// this keeps a link busy whose answers take microseconds.
constexpr unsigned loads = 4;

__global__ void __launch_bounds__(threads) gather(gathered source, float4* target, std::size_t quads) {
  const std::size_t stride = gridDim.x * std::size_t{threads};
  const std::size_t own = blockIdx.x * std::size_t{threads} + threadIdx.x;
  for (std::size_t from = own; from < quads; from += loads * stride) {
    float4 v[loads];
#pragma unroll
    for (unsigned i = 0; i < loads; ++i) {
      if (from + i * stride < quads) v[i] = source(from + i * stride);
    }
#pragma unroll
    for (unsigned i = 0; i < loads; ++i) {
      if (from + i * stride < quads) target[from + i * stride] = v[i];
    }
  }
}

const float4* quads_at(std::span<const float> values) {
  return reinterpret_cast<const float4*>(values.data());
}
float4* quads_at(std::span<float> values) { return reinterpret_cast<float4*>(values.data()); }

template <class Source>
void enqueue_rows(Source source, std::span<const float> coefficients, std::span<float> result, stream queue) {
  if (result.empty()) return;
  const auto rows = gpu::blocks_for(result.size(), row_floats);
  gpu::launch(compute_row_of_block<Source>, {rows, threads, 0, queue}, source, coefficients.data(),
              as_unsigned(coefficients.size()), quads_at(result), result.size() / 4);
}

}  // namespace

std::span<const float> seen_by_device(std::span<const float> pinned) {
  if (pinned.empty()) return {};
  cudaPointerAttributes seen{};
  gpu::check(cudaPointerGetAttributes(&seen, pinned.data()), "cudaPointerGetAttributes");
  if (seen.devicePointer == nullptr) {
    throw failure({"double_buffering: the device cannot read the table where it lies",
                   "its variants that gather need pinned host memory"});
  }
  return {static_cast<const float*>(seen.devicePointer), pinned.size()};
}

// A few blocks of threads are enough for the link, and leave the multiprocessors to the compute.
void gather_blocks(std::span<const float> table, std::span<const std::uint32_t> wanted,
                   std::span<float> target, stream queue) {
  if (target.empty()) return;
  constexpr unsigned most = 32, of_each = threads * loads;
  const auto quads = target.size() / 4;
  const auto blocks = std::min(most, gpu::blocks_for(quads, of_each));
  gpu::launch(gather, {blocks, threads, 0, queue}, gathered{quads_at(table), wanted.data()}, quads_at(target),
              quads);
}

void compute_rows(std::span<const float> coefficients, std::span<float> values, stream queue) {
  enqueue_rows(in_order{quads_at(values)}, coefficients, values, queue);
}

void compute_gathered_rows(std::span<const float> table, std::span<const std::uint32_t> order,
                           std::span<const float> coefficients, std::span<float> result, stream queue) {
  enqueue_rows(gathered{quads_at(table), order.data()}, coefficients, result, queue);
}

}  // namespace ridge::experiments::ch01_double_buffering
