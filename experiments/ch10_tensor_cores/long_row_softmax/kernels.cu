// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>

#include <ridge/gpu/kernel_launch.hpp>
#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/ptx/approximate.cuh>
#include <ridge/gpu/ptx/cluster.cuh>
#include <ridge/gpu/ptx/fence.cuh>
#include <ridge/gpu/ptx/mbarrier.cuh>
#include <ridge/gpu/ptx/shared_address.cuh>
#include <ridge/gpu/reduce.cuh>

#include "long_row_softmax.hpp"

namespace ridge::experiments::ch10_long_row_softmax {
namespace {

constexpr float log2e = 1.44269504F, least = -1e30F;

// A part of a row: its largest element times log2(e), and the sum of 2^(element * log2(e) - largest).
struct partial {
  float largest = least, sum = 0;
};

__device__ partial join(partial a, partial b) {
  const float largest = fmaxf(a.largest, b.largest);
  return {largest, a.sum * gpu::ptx::ex2_approx_ftz(a.largest - largest) +
                       b.sum * gpu::ptx::ex2_approx_ftz(b.largest - largest)};
}

// Joins the parts of `Lanes` neighbouring lanes; all of them get the result.
template <unsigned Lanes = 32>
__device__ partial join_lanes(partial x) {
#pragma unroll
  for (unsigned distance = Lanes / 2; distance > 0; distance /= 2)
    x = join(x, {__shfl_xor_sync(gpu::all_lanes, x.largest, distance),
                 __shfl_xor_sync(gpu::all_lanes, x.sum, distance)});
  return x;
}

// A row's elements by fours; those past its end weigh nothing. Rows that do not begin at multiples of 16
// bytes are read and written element by element.
struct row_view {
  const float* source;
  float* target;
  std::size_t columns;
  bool aligned;
  __device__ row_view(const workload& w, std::size_t row)
      : source(w.source.data() + row * w.columns),
        target(w.target.data() + row * w.columns),
        columns(w.columns),
        aligned(w.columns % 4 == 0 && reinterpret_cast<std::uintptr_t>(w.source.data()) % 16 == 0 &&
                reinterpret_cast<std::uintptr_t>(w.target.data()) % 16 == 0) {}
  __device__ float4 load(std::size_t quad) const {
    const std::size_t i = 4 * quad;
    if (aligned && i < columns) return __ldcs(reinterpret_cast<const float4*>(source + i));
    const auto one = [&](std::size_t j) { return j < columns ? source[j] : -INFINITY; };
    return {one(i), one(i + 1), one(i + 2), one(i + 3)};
  }
  __device__ void store(std::size_t quad, float4 v) const {
    const std::size_t i = 4 * quad;
    if (i >= columns) return;
    if (aligned) return __stcs(reinterpret_cast<float4*>(target + i), v);
    target[i] = v.x;
    if (i + 1 < columns) target[i + 1] = v.y;
    if (i + 2 < columns) target[i + 2] = v.z;
    if (i + 3 < columns) target[i + 3] = v.w;
  }
};

__device__ float largest_of(float4 v) { return fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)); }
__device__ float4 powers_of(float4 v, float largest) {
  const auto power = [&](float x) { return gpu::ptx::ex2_approx_ftz(fmaf(x, log2e, -largest)); };
  return {power(v.x), power(v.y), power(v.z), power(v.w)};
}
__device__ float sum_of(float4 v) { return (v.x + v.y) + (v.z + v.w); }
__device__ float4 times(float4 v, float f) { return {v.x * f, v.y * f, v.z * f, v.w * f}; }

// Joins the parts of all threads of the block; valid in all threads of the first warp.
template <unsigned Threads>
__device__ partial join_block(partial x) {
  __shared__ float2 of_warps[Threads / 32];
  x = join_lanes(x);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = {x.largest, x.sum};
  __syncthreads();
  float2 part = {least, 0};
  if (threadIdx.x % 32 < Threads / 32) part = of_warps[threadIdx.x % 32];
  return join_lanes(partial{part.x, part.y});
}

constexpr unsigned block = 1024, quads_at_once = 4;

// A block goes over its row once for the maximum and the sum, and once for the result.
__global__ void __launch_bounds__(block) read_twice(workload w) {
  const row_view row(w, blockIdx.x);
  const std::size_t quads = (w.columns + 3) / 4;
  partial own;
  for (std::size_t first = threadIdx.x; first < quads; first += block * quads_at_once) {
    float4 v[quads_at_once];
    float largest = own.largest;
#pragma unroll
    for (unsigned u = 0; u < quads_at_once; ++u) v[u] = row.load(first + u * block);
#pragma unroll
    for (unsigned u = 0; u < quads_at_once; ++u) largest = fmaxf(largest, largest_of(v[u]) * log2e);
    own.sum *= gpu::ptx::ex2_approx_ftz(own.largest - largest);
    own.largest = largest;
#pragma unroll
    for (unsigned u = 0; u < quads_at_once; ++u) own.sum += sum_of(powers_of(v[u], largest));
  }
  const partial all = join_block<block>(own);
  const float factor = 1 / all.sum;
  for (std::size_t first = threadIdx.x; first < quads; first += block * quads_at_once) {
    float4 v[quads_at_once];
#pragma unroll
    for (unsigned u = 0; u < quads_at_once; ++u) v[u] = row.load(first + u * block);
#pragma unroll
    for (unsigned u = 0; u < quads_at_once; ++u)
      row.store(first + u * block, times(powers_of(v[u], all.largest), factor));
  }
}

// Parts of a row that the blocks of a cluster send one another. Two places take turns: a block sends the row
// after the next only when it has the parts of the next, which its peers send after they have read this
// row's.
template <unsigned Cluster>
struct exchange {
  float2 parts[2][Cluster];
  std::uint64_t barriers[2];
};

#if __CUDA_ARCH__ >= 900

// Sends the block's part to every block of the cluster, from the first warp, and joins what they send.
template <unsigned Cluster>
__device__ partial join_cluster(exchange<Cluster>& e, unsigned turn, partial of_block) {
  const unsigned place = turn % 2, lane = threadIdx.x % 32;
  const auto barrier = gpu::ptx::shared_address(&e.barriers[place]);
  if (threadIdx.x < 32) {
    if (lane == 0) gpu::ptx::mbarrier_arrive_expect_tx(barrier, Cluster * sizeof(float2));
    __syncwarp();
    if (lane < Cluster) {
      const auto part = gpu::ptx::shared_address(&e.parts[place][gpu::ptx::cluster_ctarank()]);
      gpu::ptx::st_async_shared_cluster_v2_f32(gpu::ptx::mapa_shared_cluster(part, lane), of_block.largest,
                                               of_block.sum, gpu::ptx::mapa_shared_cluster(barrier, lane));
    }
  }
  while (!gpu::ptx::mbarrier_try_wait_parity_acquire_cluster(barrier, turn / 2 % 2)) {
  }
  const float2 part = e.parts[place][lane % Cluster];
  return join_lanes<Cluster>(partial{part.x, part.y});
}

#endif

// A cluster holds a row in registers, `Quads` fours in each thread, and takes row after row.
template <unsigned Cluster, unsigned Threads, unsigned Quads>
__global__ void __launch_bounds__(Threads) hold_in_cluster([[maybe_unused]] workload w) {
#if __CUDA_ARCH__ >= 900
  __shared__ exchange<Cluster> shared;
  if (threadIdx.x < 2) gpu::ptx::mbarrier_init(gpu::ptx::shared_address(&shared.barriers[threadIdx.x]), 1);
  gpu::ptx::fence_mbarrier_init_release_cluster();
  gpu::ptx::barrier_cluster_arrive_release();
  gpu::ptx::barrier_cluster_wait_acquire();
  const std::size_t first = gpu::ptx::cluster_ctarank() * (Threads * Quads) + threadIdx.x;
  unsigned turn = 0;
  for (std::size_t r = blockIdx.x / Cluster; r < w.rows; r += gridDim.x / Cluster, ++turn) {
    const row_view row(w, r);
    float4 v[Quads];
#pragma unroll
    for (unsigned u = 0; u < Quads; ++u) v[u] = row.load(first + u * Threads);
    partial own;
#pragma unroll
    for (unsigned u = 0; u < Quads; ++u) own.largest = fmaxf(own.largest, largest_of(v[u]) * log2e);
#pragma unroll
    for (unsigned u = 0; u < Quads; ++u) {
      v[u] = powers_of(v[u], own.largest);
      own.sum += sum_of(v[u]);
    }
    const partial all = join_cluster(shared, turn, join_block<Threads>(own));
    const float factor = gpu::ptx::ex2_approx_ftz(own.largest - all.largest) / all.sum;
#pragma unroll
    for (unsigned u = 0; u < Quads; ++u) row.store(first + u * Threads, times(v[u], factor));
    __syncthreads();  // the warps' parts have been read
  }
  gpu::ptx::barrier_cluster_arrive_release();  // nobody sends to a block that has ended
  gpu::ptx::barrier_cluster_wait_acquire();
#endif
}

template <unsigned Cluster, unsigned Threads, unsigned Quads>
void launch_cluster(const workload& w, stream queue) {
  static_assert(Cluster * Threads * Quads * 4 == most_columns);
  if (w.source.empty()) return;
  constexpr auto kernel = hold_in_cluster<Cluster, Threads, Quads>;
  gpu::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
             "cudaFuncSetAttribute of a cluster");
  auto one = gpu::kernel_launch(Cluster, Threads, queue);
  one.cluster(Cluster);
  int resident = 0;
  gpu::check(cudaOccupancyMaxActiveClusters(&resident, kernel, one.config()),
             "cudaOccupancyMaxActiveClusters");
  const auto clusters = std::min(w.rows, static_cast<std::size_t>(std::max(resident, 1)));
  auto all = gpu::kernel_launch(static_cast<unsigned>(clusters * Cluster), Threads, queue);
  all.cluster(Cluster);
  gpu::check(cudaLaunchKernelEx(all.config(), kernel, w), "launch of hold_in_cluster");
}

}  // namespace

void launch_two_reads(const workload& w, stream queue) {
  if (w.source.empty()) return;
  gpu::launch(read_twice, {static_cast<unsigned>(w.rows), block, 0, queue}, w);
}

void launch_cluster_of_8(const workload& w, stream queue) { launch_cluster<8, 1024, 8>(w, queue); }
void launch_cluster_of_16(const workload& w, stream queue) { launch_cluster<16, 512, 8>(w, queue); }

}  // namespace ridge::experiments::ch10_long_row_softmax
