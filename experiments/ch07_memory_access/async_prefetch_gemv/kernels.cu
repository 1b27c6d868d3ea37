// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>

#include <cuda_bf16.h>

#include <ridge/gpu/bf16x2.cuh>
#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/ptx/async_copy.cuh>
#include <ridge/gpu/ptx/bulk_copy.cuh>
#include <ridge/gpu/ptx/fence.cuh>
#include <ridge/gpu/ptx/mbarrier.cuh>
#include <ridge/gpu/ptx/shared_address.cuh>
#include <ridge/gpu/quads.hpp>
#include <ridge/gpu/reduce.cuh>

#include "async_prefetch_gemv.hpp"

namespace ridge::experiments::ch07_async_prefetch_gemv {
namespace {

using gpu::high_bf16, gpu::low_bf16, gpu::warp_lanes;
constexpr unsigned warps = 8;
constexpr unsigned threads = warps * warp_lanes;
constexpr unsigned loads = 8;  // of 16 bytes under way in a lane
constexpr unsigned stages_of_lane = 2, copies_of_stage = 4;
constexpr unsigned async_bytes = stages_of_lane * copies_of_stage * threads * sizeof(uint4);

// The ring of a block: two stages of two rows of at most 8192 columns, 64 KiB; a multiprocessor holds two.
constexpr unsigned pieces_of_thread = 4;
constexpr unsigned most_pieces = pieces_of_thread * threads;  // of 16 bytes in a row
constexpr unsigned stages = 2, rows_of_stage = 2, rows_of_block = 8;
constexpr unsigned ring_bytes = stages * rows_of_stage * most_pieces * sizeof(uint4);

// Adds the products of eight elements.
__device__ void add_products(float& sum, uint4 a, uint4 x) {
  sum = fmaf(low_bf16(a.x), low_bf16(x.x), fmaf(high_bf16(a.x), high_bf16(x.x), sum));
  sum = fmaf(low_bf16(a.y), low_bf16(x.y), fmaf(high_bf16(a.y), high_bf16(x.y), sum));
  sum = fmaf(low_bf16(a.z), low_bf16(x.z), fmaf(high_bf16(a.z), high_bf16(x.z), sum));
  sum = fmaf(low_bf16(a.w), low_bf16(x.w), fmaf(high_bf16(a.w), high_bf16(x.w), sum));
}

__device__ void unpack(uint4 eight, float (&numbers)[8]) {
  const unsigned words[4]{eight.x, eight.y, eight.z, eight.w};
#pragma unroll
  for (unsigned w = 0; w < 4; ++w)
    numbers[2 * w] = low_bf16(words[w]), numbers[2 * w + 1] = high_bf16(words[w]);
}

// The same with numbers that were unpacked before, and two sums that do not wait for each other.
__device__ void add_products(float& even, float& odd, uint4 a, const float (&x)[8]) {
  even = fmaf(low_bf16(a.x), x[0], even), odd = fmaf(high_bf16(a.x), x[1], odd);
  even = fmaf(low_bf16(a.y), x[2], even), odd = fmaf(high_bf16(a.y), x[3], odd);
  even = fmaf(low_bf16(a.z), x[4], even), odd = fmaf(high_bf16(a.z), x[5], odd);
  even = fmaf(low_bf16(a.w), x[6], even), odd = fmaf(high_bf16(a.w), x[7], odd);
}

__device__ unsigned lane() { return threadIdx.x % warp_lanes; }
__device__ std::size_t row_of_warp() { return blockIdx.x * std::size_t{warps} + threadIdx.x / warp_lanes; }

__global__ void __launch_bounds__(threads)
    gemv_elements(const __nv_bfloat16* matrix, const __nv_bfloat16* vector, float* product, std::size_t rows,
                  std::size_t columns) {
  const std::size_t row = row_of_warp();
  if (row >= rows) return;
  float sum = 0;
  for (std::size_t i = lane(); i < columns; i += warp_lanes)
    sum += __bfloat162float(matrix[row * columns + i]) * __bfloat162float(vector[i]);
  sum = gpu::over_warp(sum, gpu::sum_of());
  if (lane() == 0) product[row] = sum;
}

__global__ void __launch_bounds__(threads)
    gemv_loads(const uint4* matrix, const uint4* vector, float* product, std::size_t rows, unsigned pieces) {
  const std::size_t row = row_of_warp();
  if (row >= rows) return;
  matrix += row * pieces;
  float sum = 0;
  unsigned i = lane();
  for (; i + (loads - 1) * warp_lanes < pieces; i += loads * warp_lanes) {
    uint4 a[loads];
#pragma unroll
    for (unsigned u = 0; u < loads; ++u) a[u] = __ldcs(matrix + i + u * warp_lanes);
#pragma unroll
    for (unsigned u = 0; u < loads; ++u) add_products(sum, a[u], __ldg(vector + i + u * warp_lanes));
  }
  for (; i < pieces; i += warp_lanes) add_products(sum, matrix[i], vector[i]);
  sum = gpu::over_warp(sum, gpu::sum_of());
  if (lane() == 0) product[row] = sum;
}

// A lane reads what it has copied itself, so that no thread waits for another. Whole: rows are whole steps.
template <bool Whole>
__global__ void __launch_bounds__(threads)
    gemv_async_copies(const uint4* matrix, const uint4* vector, float* product, std::size_t rows,
                      unsigned pieces) {
  extern __shared__ uint4 slots[];
  const std::size_t row = row_of_warp();
  if (row >= rows) return;
  matrix += row * pieces;
  constexpr unsigned step = copies_of_stage * warp_lanes;
  const auto slot = [](unsigned stage, unsigned copy) {
    return slots + (stage * copies_of_stage + copy) * threads + threadIdx.x;
  };
  const auto begin_copies = [&](unsigned first, unsigned stage) {
    if (first < pieces) {
#pragma unroll
      for (unsigned c = 0; c < copies_of_stage; ++c) {
        const unsigned i = first + c * warp_lanes + lane();
        if (Whole || i < pieces)
          gpu::ptx::cp_async_cg_16(gpu::ptx::shared_address(slot(stage, c)), matrix + i);
      }
    }
    gpu::ptx::cp_async_commit_group();
  };
#pragma unroll
  for (unsigned s = 0; s < stages_of_lane - 1; ++s) begin_copies(s * step, s);
  float sum = 0;
  unsigned stage = 0;
  for (unsigned first = 0; first < pieces; first += step) {
    begin_copies(first + (stages_of_lane - 1) * step, (stage + stages_of_lane - 1) % stages_of_lane);
    gpu::ptx::cp_async_wait_group<stages_of_lane - 1>();
#pragma unroll
    for (unsigned c = 0; c < copies_of_stage; ++c) {
      const unsigned i = first + c * warp_lanes + lane();
      if (Whole || i < pieces) add_products(sum, *slot(stage, c), __ldg(vector + i));
    }
    stage = (stage + 1) % stages_of_lane;
  }
  gpu::ptx::cp_async_wait_group<0>();
  sum = gpu::over_warp(sum, gpu::sum_of());
  if (lane() == 0) product[row] = sum;
}

#if __CUDA_ARCH__ >= 900

// A block's ring of stages: shared addresses, and the phase of the stage that comes next.
struct ring_position {
  std::uint32_t filled, freed;  // barriers, one a stage
  unsigned parity;
  unsigned stage = 0;
  __device__ void advance() {
    if (++stage == stages) stage = 0, parity ^= 1;
  }
};

// One thread begins bulk copies of rows as stages become free.
__device__ void fill_ring(const std::byte* matrix, std::size_t row, std::size_t row_end, unsigned row_bytes,
                          std::uint32_t ring, ring_position next) {
  namespace ptx = gpu::ptx;
  for (; row < row_end; row += rows_of_stage, next.advance()) {
    ptx::mbarrier_wait_parity(next.freed + 8 * next.stage, next.parity);
    const auto bytes = (row + 1 == row_end ? 1 : rows_of_stage) * row_bytes;
    ptx::mbarrier_arrive_expect_tx(next.filled + 8 * next.stage, bytes);
    ptx::cp_async_bulk_shared_global(ring + next.stage * rows_of_stage * row_bytes, matrix + row * row_bytes,
                                     bytes, next.filled + 8 * next.stage);
  }
}

// A warp adds up its part of each row; a thread keeps its part of the vector in registers for all of them.
template <bool Whole>
__device__ void sum_rows(const uint4* vector, unsigned pieces, std::size_t rows, const uint4* ring,
                         ring_position next, float (&sums)[rows_of_block][warps]) {
  float x[pieces_of_thread][8];
#pragma unroll
  for (unsigned p = 0; p < pieces_of_thread; ++p) {
    const unsigned i = p * threads + threadIdx.x;
    unpack(i < pieces ? __ldg(vector + i) : uint4{}, x[p]);
  }
  for (unsigned row = 0; row < rows; row += rows_of_stage, next.advance()) {
    gpu::ptx::mbarrier_wait_parity(next.filled + 8 * next.stage, next.parity);
    float even[rows_of_stage]{}, odd[rows_of_stage]{};
#pragma unroll
    for (unsigned r = 0; r < rows_of_stage; ++r) {
      const uint4* a = ring + (next.stage * rows_of_stage + r) * pieces + threadIdx.x;
#pragma unroll
      for (unsigned p = 0; p < pieces_of_thread; ++p)
        if (Whole || p * threads + threadIdx.x < pieces) add_products(even[r], odd[r], a[p * threads], x[p]);
    }
    __syncwarp();
    if (lane() == 0) gpu::ptx::mbarrier_arrive(next.freed + 8 * next.stage);
#pragma unroll
    for (unsigned r = 0; r < rows_of_stage; ++r) {
      const float sum = gpu::over_warp(even[r] + odd[r], gpu::sum_of());
      if (lane() == 0) sums[row + r][threadIdx.x / warp_lanes] = sum;
    }
  }
}

#endif

// Whole: rows have the most pieces that the ring takes.
template <bool Whole>
__global__ void __launch_bounds__(threads + warp_lanes, 2)
    gemv_bulk_ring([[maybe_unused]] const uint4* matrix, [[maybe_unused]] const uint4* vector,
                   [[maybe_unused]] float* product, [[maybe_unused]] std::size_t rows,
                   [[maybe_unused]] unsigned pieces) {
#if __CUDA_ARCH__ >= 900
  if constexpr (Whole) pieces = most_pieces;
  namespace ptx = gpu::ptx;
  static_assert(rows_of_stage == 2 && rows_of_block % rows_of_stage == 0);
  extern __shared__ uint4 ring[];
  __shared__ std::uint64_t barriers[2 * stages];
  __shared__ float sums[rows_of_block][warps];
  const auto filled = ptx::shared_address(barriers), freed = filled + 8 * stages;
  const std::size_t first = blockIdx.x * std::size_t{rows_of_block};
  const std::size_t count = rows - first < rows_of_block ? rows - first : rows_of_block;
  if (threadIdx.x == 0) {
    for (unsigned s = 0; s < stages; ++s) {
      ptx::mbarrier_init(filled + 8 * s, 1);
      ptx::mbarrier_init(freed + 8 * s, warps);
    }
    ptx::fence_mbarrier_init_release_cluster();
  }
  __syncthreads();
  if (threadIdx.x < threads) {
    sum_rows<Whole>(vector, pieces, count, ring, {filled, freed, 0}, sums);
  } else if (lane() == 0) {
    fill_ring(reinterpret_cast<const std::byte*>(matrix), first, first + count, pieces * 16,
              ptx::shared_address(ring), {filled, freed, 1});
  }
  __syncthreads();
  if (threadIdx.x >= count) return;
  float total = 0;
  for (const float sum : sums[threadIdx.x]) total += sum;
  product[first + threadIdx.x] = total;
#endif
}

const uint4* pieces_at(const bf16* address) { return reinterpret_cast<const uint4*>(address); }

bool in_pieces(const workload& w) {
  return w.columns != 0 && w.columns % 8 == 0 && gpu::on_16_bytes(w.matrix.data(), w.vector.data());
}

using by_pieces = void (*)(const uint4*, const uint4*, float*, std::size_t, unsigned);
void launch_by_pieces(by_pieces kernel, const gpu::launch_shape& shape, const workload& w) {
  gpu::launch(kernel, shape, pieces_at(w.matrix.data()), pieces_at(w.vector.data()), w.product.data(), w.rows,
              as_unsigned(w.columns / 8));
}

}  // namespace

void launch_elements(const workload& w, stream queue) {
  if (w.rows == 0) return;
  gpu::launch(gemv_elements, {gpu::blocks_for(w.rows, warps), threads, 0, queue},
              reinterpret_cast<const __nv_bfloat16*>(w.matrix.data()),
              reinterpret_cast<const __nv_bfloat16*>(w.vector.data()), w.product.data(), w.rows, w.columns);
}

void launch_loads(const workload& w, stream queue) {
  if (!in_pieces(w) || w.rows == 0) return launch_elements(w, queue);
  launch_by_pieces(gemv_loads, {gpu::blocks_for(w.rows, warps), threads, 0, queue}, w);
}

void launch_async_copies(const workload& w, stream queue) {
  if (!in_pieces(w) || w.rows == 0) return launch_elements(w, queue);
  const bool whole = w.columns / 8 % (copies_of_stage * warp_lanes) == 0;
  const auto kernel = whole ? gemv_async_copies<true> : gemv_async_copies<false>;
  gpu::allow_dynamic_shared_memory(kernel, async_bytes);
  launch_by_pieces(kernel, {gpu::blocks_for(w.rows, warps), threads, async_bytes, queue}, w);
}

void launch_bulk_ring(const workload& w, stream queue) {
  if (!in_pieces(w) || w.rows == 0 || w.columns / 8 > most_pieces) return launch_loads(w, queue);
  const auto kernel = w.columns / 8 == most_pieces ? gemv_bulk_ring<true> : gemv_bulk_ring<false>;
  gpu::allow_dynamic_shared_memory(kernel, ring_bytes);
  launch_by_pieces(kernel, {gpu::blocks_for(w.rows, rows_of_block), threads + warp_lanes, ring_bytes, queue},
                   w);
}

}  // namespace ridge::experiments::ch07_async_prefetch_gemv
