// SPDX-License-Identifier: Apache-2.0
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <cub/device/device_segmented_reduce.cuh>

#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/ptx/async_copy.cuh>
#include <ridge/gpu/ptx/shared_address.cuh>
#include <ridge/gpu/quads.hpp>
#include <ridge/gpu/reduce.cuh>

#include "bytes_in_flight.hpp"

namespace ridge::experiments::ch08_bytes_in_flight {
namespace {

using gpu::over_warp, gpu::sum_of;

constexpr unsigned threads = 256, lanes = gpu::warp_lanes, warps_of_block = threads / lanes;
constexpr unsigned full = 2048;  // threads of a multiprocessor
constexpr unsigned quads_of_row = row_elements / 4;

__device__ unsigned lane() { return threadIdx.x % lanes; }
__device__ std::size_t warp_of_grid() {
  return blockIdx.x * std::size_t{warps_of_block} + threadIdx.x / lanes;
}
__device__ std::size_t warps_of_grid() { return gridDim.x * std::size_t{warps_of_block}; }

__device__ void add(float4& sum, float4 v) { sum = {sum.x + v.x, sum.y + v.y, sum.z + v.z, sum.w + v.w}; }
__device__ float total(float4 v) { return (v.x + v.y) + (v.z + v.w); }

// A warp takes a row, its lanes elements side by side.
__device__ void sum_row(const float* source, float* sums, std::size_t n, std::size_t row) {
  float sum = 0;
  const std::size_t begin = row * row_elements, end = min(n, begin + row_elements);
  for (std::size_t i = begin + lane(); i < end; i += lanes) sum += source[i];
  sum = over_warp(sum, sum_of());
  if (lane() == 0) sums[row] = sum;
}

__global__ void __launch_bounds__(threads)
    sum_by_plain_loop(const float* source, float* sums, std::size_t n) {
  if (warp_of_grid() * row_elements < n) sum_row(source, sums, n, warp_of_grid());
}

// The block needs so many registers and so much shared memory that `Blocks` of them fit a multiprocessor.
template <unsigned Blocks, unsigned Loads>
__global__ void __launch_bounds__(threads, Blocks)
    sum_by_loads(const float* source, float* sums, std::size_t n) {
  const std::size_t row = warp_of_grid();
  if ((row + 1) * row_elements > n) {
    if (row * row_elements < n) sum_row(source, sums, n, row);
    return;
  }
  const auto* from = reinterpret_cast<const float4*>(source + row * row_elements) + lane();
  float4 sum{};
#pragma unroll 1
  for (unsigned i = 0; i < quads_of_row; i += Loads * lanes) {
    float4 v[Loads];
#pragma unroll
    for (unsigned u = 0; u < Loads; ++u) v[u] = __ldcs(from + i + u * lanes);
#pragma unroll
    for (unsigned u = 0; u < Loads; ++u) add(sum, v[u]);
  }
  const float of_row = over_warp(total(sum), sum_of());
  if (lane() == 0) sums[row] = of_row;
}

// A block takes a row, all of it at once, so that blocks that run together read one stretch of memory.
constexpr unsigned row_threads = 512, row_loads = quads_of_row / row_threads;

__global__ void __launch_bounds__(row_threads, full / row_threads)
    sum_by_blocks(const float* source, float* sums, std::size_t n) {
  const std::size_t row = blockIdx.x;
  if ((row + 1) * row_elements > n) {
    if (threadIdx.x < lanes) sum_row(source, sums, n, row);
    return;
  }
  const auto* from = reinterpret_cast<const float4*>(source + row * row_elements) + threadIdx.x;
  float4 sum{};
#pragma unroll
  for (unsigned u = 0; u < row_loads; ++u) add(sum, __ldcs(from + u * row_threads));
  __shared__ float of_warp[row_threads / lanes];
  const float mine = over_warp(total(sum), sum_of());
  if (lane() == 0) of_warp[threadIdx.x / lanes] = mine;
  __syncthreads();
  if (threadIdx.x >= lanes) return;
  const float of_row = over_warp(threadIdx.x < row_threads / lanes ? of_warp[threadIdx.x] : 0, sum_of());
  if (threadIdx.x == 0) sums[row] = of_row;
}

// A ring of pieces of rows in shared memory. Each lane adds what it copied itself: no thread waits for
// another.
constexpr unsigned stages = 4, loads = 4, pieces_of_row = quads_of_row / (loads * lanes);
constexpr std::size_t ring_bytes = stages * loads * threads * sizeof(float4);

__global__ void __launch_bounds__(threads, 1)
    sum_by_ring(const float* source, float* sums, std::size_t n, std::size_t rows) {
  extern __shared__ float4 ring[];
  const auto slot = [&](std::size_t piece, unsigned u) {
    return ring + (piece % stages * loads + u) * threads + threadIdx.x;
  };
  const std::size_t first = warp_of_grid(), step = warps_of_grid();
  const std::size_t pieces = first < rows ? (rows - first + step - 1) / step * pieces_of_row : 0;
  const auto ask = [&](std::size_t piece) {
    if (piece < pieces) {
      const auto row = first + piece / pieces_of_row * step;
      const auto* from = reinterpret_cast<const float4*>(source + row * row_elements) +
                         piece % pieces_of_row * (loads * lanes) + lane();
#pragma unroll
      for (unsigned u = 0; u < loads; ++u)
        gpu::ptx::cp_async_cg_16(gpu::ptx::shared_address(slot(piece, u)), from + u * lanes);
    }
    gpu::ptx::cp_async_commit_group();
  };
  for (unsigned piece = 0; piece + 1 < stages; ++piece) ask(piece);
  float4 sum{};
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    ask(piece + stages - 1);
    gpu::ptx::cp_async_wait_group<stages - 1>();
#pragma unroll
    for (unsigned u = 0; u < loads; ++u) add(sum, *slot(piece, u));
    if ((piece + 1) % pieces_of_row != 0) continue;
    const float of_row = over_warp(total(sum), sum_of());
    if (lane() == 0) sums[first + piece / pieces_of_row * step] = of_row;
    sum = {};
  }
  if (first == 0 && rows * row_elements < n) sum_row(source, sums, n, rows);
}

struct begin_of_row {
  std::size_t n;
  __host__ __device__ std::size_t operator()(std::size_t row) const {
    return row * row_elements < n ? row * row_elements : n;
  }
};

// Whether every row begins at 16 bytes.
bool aligned(const workload& w) { return gpu::quads_of(w.source.size(), {w.source.data()}).head == 0; }

std::size_t attribute(cudaDeviceAttr asked) {
  int value = 0;
  gpu::check(cudaDeviceGetAttribute(&value, asked, 0), "cudaDeviceGetAttribute");
  return static_cast<std::size_t>(value);
}
// Shared memory for each of `blocks` blocks that keeps one more from fitting in a multiprocessor.
std::size_t shared_bytes(unsigned blocks) {
  return attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor) / blocks -
         attribute(cudaDevAttrReservedSharedMemoryPerBlock);
}

template <unsigned Blocks, unsigned Loads>
void launch_loads(const workload& w, stream queue) {
  if (!aligned(w)) return launch_plain_loop(w, queue);
  if (w.sums.empty()) return;
  const auto kernel = sum_by_loads<Blocks, Loads>;
  const std::size_t shared = Blocks * threads < full ? shared_bytes(Blocks) : 0;
  gpu::allow_dynamic_shared_memory(kernel, shared);
  gpu::launch(kernel, {gpu::blocks_for(w.sums.size(), warps_of_block), threads, shared, queue},
              w.source.data(), w.sums.data(), w.source.size());
}

}  // namespace

void launch_plain_loop(const workload& w, stream queue) {
  if (w.sums.empty()) return;
  gpu::launch(sum_by_plain_loop, {gpu::blocks_for(w.sums.size(), warps_of_block), threads, 0, queue},
              w.source.data(), w.sums.data(), w.source.size());
}
void launch_64_warps_1_load(const workload& w, stream queue) { launch_loads<8, 1>(w, queue); }
void launch_16_warps_1_load(const workload& w, stream queue) { launch_loads<2, 1>(w, queue); }
void launch_16_warps_4_loads(const workload& w, stream queue) { launch_loads<2, 4>(w, queue); }
void launch_8_warps_8_loads(const workload& w, stream queue) { launch_loads<1, 8>(w, queue); }

void launch_block_a_row(const workload& w, stream queue) {
  if (!aligned(w)) return launch_plain_loop(w, queue);
  if (w.sums.empty()) return;
  gpu::launch(sum_by_blocks, {as_unsigned(w.sums.size()), row_threads, 0, queue}, w.source.data(),
              w.sums.data(), w.source.size());
}

void launch_ring(const workload& w, stream queue) {
  if (!aligned(w)) return launch_plain_loop(w, queue);
  if (w.sums.empty()) return;
  gpu::allow_dynamic_shared_memory(sum_by_ring, ring_bytes);
  gpu::launch(sum_by_ring, {gpu::multiprocessors(), threads, ring_bytes, queue}, w.source.data(),
              w.sums.data(), w.source.size(), w.source.size() / row_elements);
}

void launch_cub(const workload& w, std::size_t& bytes, void* scratch, stream queue) {
  const thrust::transform_iterator begins(thrust::counting_iterator<std::size_t>(0),
                                          begin_of_row{w.source.size()});
  gpu::check(cub::DeviceSegmentedReduce::Sum(scratch, bytes, w.source.data(), w.sums.data(),
                                             as_integer(w.sums.size()), begins, begins + 1,
                                             static_cast<cudaStream_t>(queue)),
             "cub::DeviceSegmentedReduce::Sum");
}

}  // namespace ridge::experiments::ch08_bytes_in_flight
