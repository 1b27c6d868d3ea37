// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>

#include <ridge/gpu/bf16x2.cuh>
#include <ridge/gpu/check.hpp>
#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/ptx/bulk_copy.cuh>
#include <ridge/gpu/ptx/fence.cuh>
#include <ridge/gpu/ptx/griddepcontrol.cuh>
#include <ridge/gpu/ptx/mbarrier.cuh>
#include <ridge/gpu/ptx/shared_address.cuh>
#include <ridge/gpu/reduce.cuh>

#include "arrays.cuh"

namespace ridge::experiments::ch09_norm_backward {
namespace {

constexpr unsigned threads = 512, warps = threads / gpu::warp_lanes;
constexpr unsigned width = 4;         // elements of a vector
constexpr unsigned most_vectors = 6;  // a thread: rows of up to 12288 columns
constexpr unsigned most_stages = 4;   // rows of x and dy on their way to a block

// The columns that a thread has, in vectors of four.
template <unsigned Vectors>
struct columns_of_thread {
  unsigned count;  // columns of the matrix
  __device__ unsigned first(unsigned v) const { return (v * threads + threadIdx.x) * width; }
  __device__ bool has(unsigned v) const { return first(v) < count; }
};

#if __CUDA_ARCH__ >= 900

// Four bf16 numbers as they lie in memory.
__device__ float element(uint2 pair, unsigned i) { return gpu::bf16_of(i < 2 ? pair.x : pair.y, i % 2); }

// The block's sums of `count` values of each thread, with one barrier: calls take turns at two places.
template <unsigned Count>
__device__ void add_over_block(float (&values)[Count], unsigned turn) {
  __shared__ float of_warp[2][Count][warps];
#pragma unroll
  for (auto& v : values) v = gpu::over_warp(v, gpu::sum_of{});
  if (threadIdx.x % gpu::warp_lanes == 0)
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) of_warp[turn % 2][i][threadIdx.x / gpu::warp_lanes] = values[i];
  __syncthreads();
#pragma unroll
  for (unsigned i = 0; i < Count; ++i) {
    values[i] = 0;
#pragma unroll
    for (unsigned k = 0; k < warps; ++k) values[i] += of_warp[turn % 2][i][k];
  }
}

#endif

// Block b does rows b, b + blocks, ... A ring of `stages` rows of x and dy is filled by bulk copies; the
// barrier of a row's sums also says that the row has been read, so that its place is filled again. partials:
// of each block the sums for weights, then those for biases.
template <bool Layer, unsigned Vectors>
__global__ void __launch_bounds__(threads, Vectors > 2 ? 1 : 2)
    gradients([[maybe_unused]] arrays a, [[maybe_unused]] float* partials, [[maybe_unused]] unsigned stages) {
#if __CUDA_ARCH__ >= 900
  using namespace gpu::ptx;
  constexpr unsigned kinds = Layer ? 2 : 1;
  extern __shared__ __align__(128) char shared[];
  __shared__ __align__(8) std::uint64_t full[most_stages];
  auto* const weight = reinterpret_cast<float*>(shared);
  char* const ring = shared + a.columns * sizeof(float);
  const std::uint32_t row_bytes = a.columns * 2, is_full = shared_address(full);
  const columns_of_thread<Vectors> own{a.columns};
  const auto fetch = [&](unsigned stage, std::size_t row) {
    const std::uint32_t place = shared_address(ring) + stage * 2 * row_bytes, barrier = is_full + 8 * stage;
    mbarrier_arrive_expect_tx(barrier, 2 * row_bytes);
    cp_async_bulk_shared_global(place, a.x + row * a.columns, row_bytes, barrier);
    cp_async_bulk_shared_global(place + row_bytes, a.dy + row * a.columns, row_bytes, barrier);
  };
  if (threadIdx.x == 0) {
    for (unsigned s = 0; s < stages; ++s) mbarrier_init(is_full + 8 * s, 1);
    fence_mbarrier_init_release_cluster();
    for (unsigned s = 0; s < stages; ++s)
      if (blockIdx.x + std::size_t{s} * gridDim.x < a.rows) fetch(s, blockIdx.x + std::size_t{s} * gridDim.x);
  }
  for (unsigned i = threadIdx.x; i < a.columns; i += threads) weight[i] = a.weight[i];
  __syncthreads();

  float dweight[Vectors][width] = {}, dbias[Layer ? Vectors : 1][width] = {};
  unsigned stage = 0, parity = 0, turn = 0;
  for (std::size_t row = blockIdx.x; row < a.rows; row += gridDim.x, ++turn) {
    const float inverse = a.inverse[row], mean = Layer ? a.mean[row] : 0;
    while (!mbarrier_try_wait_parity(is_full + 8 * stage, parity)) {
    }
    const char* const place = ring + stage * 2 * row_bytes;
    uint2 x[Vectors], dy[Vectors];
    float sums[kinds] = {};
#pragma unroll
    for (unsigned v = 0; v < Vectors; ++v) {
      if (!own.has(v)) continue;
      x[v] = *reinterpret_cast<const uint2*>(place + own.first(v) * 2);
      dy[v] = *reinterpret_cast<const uint2*>(place + row_bytes + own.first(v) * 2);
      const float4 w = *reinterpret_cast<const float4*>(weight + own.first(v));
      const float each[width] = {w.x, w.y, w.z, w.w};
#pragma unroll
      for (unsigned i = 0; i < width; ++i) {
        const float n = (element(x[v], i) - mean) * inverse, d = element(dy[v], i), g = d * each[i];
        dweight[v][i] = fmaf(d, n, dweight[v][i]);
        sums[0] = fmaf(g, n, sums[0]);
        if constexpr (Layer) dbias[v][i] += d, sums[1] += g;
      }
    }
    add_over_block(sums, turn);
    if (threadIdx.x == 0 && row + std::size_t{stages} * gridDim.x < a.rows)
      fetch(stage, row + std::size_t{stages} * gridDim.x);
    const float with_normal = sums[0] / static_cast<float>(a.columns);
    const float alone = Layer ? sums[kinds - 1] / static_cast<float>(a.columns) : 0;
#pragma unroll
    for (unsigned v = 0; v < Vectors; ++v) {
      if (!own.has(v)) continue;
      const float4 w = *reinterpret_cast<const float4*>(weight + own.first(v));
      const float each[width] = {w.x, w.y, w.z, w.w};
      float dx[width];
#pragma unroll
      for (unsigned i = 0; i < width; ++i) {
        const float n = (element(x[v], i) - mean) * inverse, g = element(dy[v], i) * each[i];
        dx[i] = inverse * (fmaf(-n, with_normal, g) - alone);
      }
      __stcs(reinterpret_cast<uint2*>(a.dx + row * a.columns + own.first(v)),
             make_uint2(gpu::bf16x2(dx[0], dx[1]), gpu::bf16x2(dx[2], dx[3])));
    }
    if (++stage == stages) stage = 0, parity ^= 1U;
  }
  partials += std::size_t{blockIdx.x} * kinds * a.columns;
#pragma unroll
  for (unsigned v = 0; v < Vectors; ++v) {
    if (!own.has(v)) continue;
    const auto store = [&](const float(&sums)[width], unsigned kind) {
      *reinterpret_cast<float4*>(partials + kind * a.columns + own.first(v)) =
          make_float4(sums[0], sums[1], sums[2], sums[3]);
    };
    store(dweight[v], 0);
    if constexpr (Layer) store(dbias[v], 1);
  }
#endif
}

// Adds the blocks' sums in a fixed order: 32 columns a block, each by the 32 lanes of a warp in the end.
__global__ void __launch_bounds__(1024)
    add_partials(arrays a, const float* partials, unsigned blocks, unsigned sums) {
  __shared__ float slices[gpu::warp_lanes][gpu::warp_lanes + 1];
  gpu::ptx::griddepcontrol_wait();
  const unsigned column = blockIdx.x * gpu::warp_lanes + threadIdx.x;
  float sum = 0;
  for (unsigned b = threadIdx.y; b < blocks && column < sums; b += gpu::warp_lanes)
    sum += partials[std::size_t{b} * sums + column];
  slices[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  sum = gpu::over_warp(slices[threadIdx.x][threadIdx.y], gpu::sum_of{});
  const unsigned finished = blockIdx.x * gpu::warp_lanes + threadIdx.y;
  if (threadIdx.x != 0 || finished >= sums) return;
  if (finished < a.columns)
    a.dweight[finished] = sum;
  else
    a.dbias[finished - a.columns] = sum;
}

unsigned vectors_of(const workload& w) { return gpu::blocks_for(w.columns, std::size_t{threads} * width); }

unsigned sums_of(const workload& w) { return static_cast<unsigned>((w.layer ? 2 : 1) * w.columns); }

// Rows of which copies and vectors may be made, and that fit the registers of a block.
bool fits(const workload& w) {
  std::uintptr_t low_bits = w.columns % 8;
  for (const void* p : {static_cast<const void*>(w.x.data()), static_cast<const void*>(w.dy.data()),
                        static_cast<const void*>(w.dx.data())})
    low_bits |= reinterpret_cast<std::uintptr_t>(p) % 16;
  return low_bits == 0 && w.rows > 0 && vectors_of(w) <= most_vectors;
}

unsigned persistent_blocks(const workload& w) {
  int device = 0, count = 0;
  gpu::check(cudaGetDevice(&device), "cudaGetDevice");
  gpu::check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device),
             "cudaDeviceGetAttribute");
  const auto resident = static_cast<unsigned>(count) * (vectors_of(w) > 2 ? 1 : 2);
  return std::min(resident, static_cast<unsigned>(w.rows));
}

template <bool Layer>
auto kernel_of(unsigned vectors) {
  return vectors == 1   ? gradients<Layer, 1>
         : vectors == 2 ? gradients<Layer, 2>
                        : gradients<Layer, most_vectors>;
}

}  // namespace

std::size_t persistent_partials(const workload& w) {
  return fits(w) ? std::size_t{persistent_blocks(w)} * sums_of(w) : 0;
}

void launch_persistent(const workload& w, std::span<float> partials, stream queue) {
  if (!fits(w)) return launch_two(w, queue);
  const auto kernel = w.layer ? kernel_of<true>(vectors_of(w)) : kernel_of<false>(vectors_of(w));
  const auto row_pair = w.columns * 4;
  const auto stages = vectors_of(w) > 2 ? 2 : most_stages;
  const auto shared = w.columns * sizeof(float) + stages * row_pair;
  gpu::allow_dynamic_shared_memory(kernel, shared);
  const auto blocks = persistent_blocks(w);
  gpu::launch(kernel, {blocks, threads, shared, queue}, arrays_of(w), partials.data(), stages);
  gpu::launch(
      add_partials,
      {gpu::blocks_for(sums_of(w), gpu::warp_lanes), dim3(gpu::warp_lanes, gpu::warp_lanes), 0, queue, true},
      arrays_of(w), static_cast<const float*>(partials.data()), blocks, sums_of(w));
}

}  // namespace ridge::experiments::ch09_norm_backward
