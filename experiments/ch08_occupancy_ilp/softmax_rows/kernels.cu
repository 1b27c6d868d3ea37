// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>

#include <cuda_bf16.h>

#include <ridge/gpu/bf16x2.cuh>
#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/ptx/load_once.cuh>
#include <ridge/gpu/quads.hpp>
#include <ridge/gpu/reduce.cuh>

#include "softmax_rows.hpp"

namespace ridge::experiments::ch08_softmax_rows {
namespace {

using gpu::most_of, gpu::sum_of;

constexpr unsigned threads = 256;
constexpr unsigned elements = 8;  // of a vector of 16 bytes
constexpr float log2_e = 1.4426950408889634F;
constexpr float lowest = -2.3e38F;  // times log2_e it is finite, so that threads without elements add zeros

__global__ void __launch_bounds__(threads)
    softmax_by_blocks(const __nv_bfloat16* source, __nv_bfloat16* target, unsigned columns) {
  const std::size_t first = blockIdx.x * std::size_t{columns};
  float most = most_of::neutral, sum = 0;
  for (unsigned i = threadIdx.x; i < columns; i += threads)
    most = fmaxf(most, __bfloat162float(source[first + i]));
  most = gpu::over_block(most, most_of());
  for (unsigned i = threadIdx.x; i < columns; i += threads)
    sum += __expf(__bfloat162float(source[first + i]) - most);
  const float scale = 1 / gpu::over_block(sum, sum_of());
  for (unsigned i = threadIdx.x; i < columns; i += threads)
    target[first + i] = __float2bfloat16(__expf(__bfloat162float(source[first + i]) - most) * scale);
}

// Up to Vectors vectors of a row in each of ThreadsOfRow threads.
template <unsigned ThreadsOfRow, unsigned Vectors>
struct row_in_registers {
  static constexpr unsigned lanes = std::min(ThreadsOfRow, gpu::warp_lanes),
                            warps_of_row = ThreadsOfRow / lanes;
  float x[Vectors * elements];

  __device__ row_in_registers(const uint4* source, unsigned vectors, unsigned thread) {
    uint4 v[Vectors];
    const std::uint32_t none = 0xFF80FF80;  // minus infinity twice
#pragma unroll
    for (unsigned u = 0; u < Vectors; ++u) {
      const unsigned i = u * ThreadsOfRow + thread;
      v[u] = i < vectors ? gpu::ptx::ld_global_nc_once(source + i) : uint4{none, none, none, none};
    }
#pragma unroll
    for (unsigned u = 0; u < Vectors; ++u) {
      const std::uint32_t words[4] = {v[u].x, v[u].y, v[u].z, v[u].w};
#pragma unroll
      for (unsigned q = 0; q < 4; ++q)
        x[elements * u + 2 * q] = gpu::low_bf16(words[q]),
                             x[elements * u + 2 * q + 1] = gpu::high_bf16(words[q]);
    }
  }

  // Replaces the elements by their exponentials over 2^base; returns the sum of all lanes'.
  __device__ float exponentiate(float& base) {
    float most = lowest, sum = 0;
#pragma unroll
    for (const float e : x) most = fmaxf(most, e);
    base = gpu::over_warp<lanes>(most, most_of()) * log2_e;
#pragma unroll
    for (float& e : x) sum += e = exp2f(fmaf(e, log2_e, -base));
    return gpu::over_warp<lanes>(sum, sum_of());
  }

  // Each warp's base and sum are exchanged at once, so that a row costs one barrier.
  __device__ float scale_of(float base, float sum, unsigned row_of_block) const {
    if constexpr (warps_of_row == 1) {
      return 1 / sum;
    } else {
      __shared__ float2 of_warps[threads / gpu::warp_lanes];
      if (threadIdx.x % gpu::warp_lanes == 0) of_warps[threadIdx.x / gpu::warp_lanes] = {base, sum};
      __syncthreads();
      const float2 other = of_warps[row_of_block * warps_of_row + threadIdx.x % warps_of_row];
      const float most = gpu::over_warp<warps_of_row>(other.x, most_of());
      return exp2f(base - most) / gpu::over_warp<warps_of_row>(other.y * exp2f(other.x - most), sum_of());
    }
  }

  __device__ void store(uint4* target, unsigned vectors, unsigned thread, float scale) const {
#pragma unroll
    for (unsigned u = 0; u < Vectors; ++u) {
      const unsigned i = u * ThreadsOfRow + thread;
      const float* e = x + elements * u;
      if (i < vectors)
        __stcs(target + i,
               uint4{gpu::bf16x2(e[0] * scale, e[1] * scale), gpu::bf16x2(e[2] * scale, e[3] * scale),
                     gpu::bf16x2(e[4] * scale, e[5] * scale), gpu::bf16x2(e[6] * scale, e[7] * scale)});
    }
  }
};

template <unsigned ThreadsOfRow, unsigned Vectors>
__global__ void __launch_bounds__(threads)
    softmax_in_registers(const uint4* source, uint4* target, std::size_t rows, unsigned vectors) {
  constexpr unsigned rows_of_block = threads / ThreadsOfRow;
  const unsigned thread = threadIdx.x % ThreadsOfRow, row_of_block = threadIdx.x / ThreadsOfRow;
  const std::size_t row = std::min(blockIdx.x * std::size_t{rows_of_block} + row_of_block, rows - 1);
  row_in_registers<ThreadsOfRow, Vectors> r(source + row * vectors, vectors, thread);
  float base;
  const float sum = r.exponentiate(base);
  const float scale = r.scale_of(base, sum, row_of_block);
  r.store(target + row * vectors, vectors, thread, scale);
}

bool in_vectors(const workload& w) {
  return w.columns % elements == 0 && gpu::on_16_bytes(w.source.data(), w.target.data());
}

template <unsigned ThreadsOfRow, unsigned Vectors>
void launch_in_registers(const workload& w, stream queue) {
  const auto vectors = static_cast<unsigned>(w.columns / elements);
  gpu::launch(softmax_in_registers<ThreadsOfRow, Vectors>,
              {gpu::blocks_for(w.rows, threads / ThreadsOfRow), threads, 0, queue},
              reinterpret_cast<const uint4*>(w.source.data()), reinterpret_cast<uint4*>(w.target.data()),
              w.rows, vectors);
}

}  // namespace

void launch_block_a_row(const workload& w, stream queue) {
  if (w.source.empty()) return;
  gpu::launch(softmax_by_blocks, {static_cast<unsigned>(w.rows), threads, 0, queue},
              reinterpret_cast<const __nv_bfloat16*>(w.source.data()),
              reinterpret_cast<__nv_bfloat16*>(w.target.data()), static_cast<unsigned>(w.columns));
}

void launch_block_in_registers(const workload& w, stream queue) {
  if (w.source.empty()) return;
  if (!in_vectors(w) || w.columns > 8192) return launch_block_a_row(w, queue);
  if (w.columns <= 2048) return launch_in_registers<256, 1>(w, queue);
  launch_in_registers<256, 4>(w, queue);
}

void launch_fitted_rows(const workload& w, stream queue) {
  if (w.source.empty()) return;
  if (!in_vectors(w) || w.columns > 8192) return launch_block_a_row(w, queue);
  if (w.columns <= 1024) return launch_in_registers<32, 4>(w, queue);
  if (w.columns <= 2048) return launch_in_registers<64, 4>(w, queue);
  if (w.columns <= 4096) return launch_in_registers<128, 4>(w, queue);
  launch_in_registers<256, 4>(w, queue);
}

}  // namespace ridge::experiments::ch08_softmax_rows
