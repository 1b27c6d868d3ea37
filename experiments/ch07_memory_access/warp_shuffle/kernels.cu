// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <cub/device/device_segmented_reduce.cuh>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/quads.hpp>
#include <ridge/gpu/reduce.cuh>

#include "warp_shuffle.hpp"

namespace ridge::experiments::ch07_warp_shuffle {
namespace {

constexpr unsigned threads = 256;
using gpu::warp_lanes;
constexpr unsigned warps = threads / warp_lanes;

// How the partial sums of a warp become one, which lane 0 returns. All threads of the block take part.
struct shared_tree {
  __device__ int operator()(int partial) const {
    __shared__ int sums[threads];
    sums[threadIdx.x] = partial;
    __syncthreads();
#pragma unroll
    for (unsigned distance = warp_lanes / 2; distance != 0; distance /= 2) {
      if (threadIdx.x % warp_lanes < distance) sums[threadIdx.x] += sums[threadIdx.x + distance];
      __syncthreads();
    }
    return sums[threadIdx.x];
  }
};
struct shuffles {
  __device__ int operator()(int partial) const { return gpu::over_warp(partial, gpu::sum_of()); }
};
struct redux {
  __device__ int operator()(int partial) const { return __reduce_add_sync(gpu::all_lanes, partial); }
};

template <class Finish>
__global__ void __launch_bounds__(threads)
    sum_by_warps(const std::int32_t* values, std::int32_t* sums, std::size_t segments, std::size_t width) {
  const std::size_t segment = blockIdx.x * std::size_t{warps} + threadIdx.x / warp_lanes;
  int partial = 0;
  if (segment < segments)
    for (std::size_t i = threadIdx.x % warp_lanes; i < width; i += warp_lanes)
      partial += values[segment * width + i];
  const int sum = Finish()(partial);
  if (segment < segments && threadIdx.x % warp_lanes == 0) sums[segment] = sum;
}

// `Lanes` lanes take a segment, and `Segments` segments at once.
template <unsigned Lanes, unsigned Segments>
__global__ void __launch_bounds__(threads)
    sum_by_quads(const int4* values, std::int32_t* sums, std::size_t segments, unsigned quads) {
  constexpr unsigned groups = threads / Lanes;
  const std::size_t first = blockIdx.x * std::size_t{groups * Segments} + threadIdx.x / Lanes;
  int sum[Segments]{};
  for (unsigned i = threadIdx.x % Lanes; i < quads; i += Lanes) {
    int4 v[Segments];
#pragma unroll
    for (unsigned s = 0; s < Segments; ++s)
      v[s] = first + s * groups < segments ? __ldg(values + (first + s * groups) * quads + i) : int4{};
#pragma unroll
    for (unsigned s = 0; s < Segments; ++s) sum[s] += (v[s].x + v[s].y) + (v[s].z + v[s].w);
  }
#pragma unroll
  for (unsigned s = 0; s < Segments; ++s) {
    sum[s] = Lanes == warp_lanes ? __reduce_add_sync(gpu::all_lanes, sum[s])
                                 : gpu::over_warp<Lanes>(sum[s], gpu::sum_of());
    const std::size_t segment = first + s * groups;
    if (segment < segments && threadIdx.x % Lanes == 0) sums[segment] = sum[s];
  }
}

template <class Finish>
void launch_by_warps(const workload& w, stream queue) {
  if (w.segments == 0) return;
  gpu::launch(sum_by_warps<Finish>, {gpu::blocks_for(w.segments, warps), threads, 0, queue}, w.values.data(),
              w.sums.data(), w.segments, w.width);
}

template <unsigned Lanes, unsigned Segments>
void launch_by_quads(const workload& w, stream queue) {
  const auto blocks = gpu::blocks_for(w.segments, threads / Lanes * Segments);
  gpu::launch(sum_by_quads<Lanes, Segments>, {blocks, threads, 0, queue},
              reinterpret_cast<const int4*>(w.values.data()), w.sums.data(), w.segments,
              as_unsigned(w.width / 4));
}

// Where segment s begins.
struct begin_of_segment {
  std::size_t width;
  __host__ __device__ std::int64_t operator()(std::int64_t segment) const {
    return segment * static_cast<std::int64_t>(width);
  }
};

}  // namespace

void launch_shared_tree(const workload& w, stream queue) { launch_by_warps<shared_tree>(w, queue); }
void launch_shuffles(const workload& w, stream queue) { launch_by_warps<shuffles>(w, queue); }
void launch_redux(const workload& w, stream queue) { launch_by_warps<redux>(w, queue); }

void launch_quads(const workload& w, stream queue) {
  if (w.width % 4 != 0 || !gpu::on_16_bytes(w.values.data()) || w.segments == 0)
    return launch_shuffles(w, queue);
  if (w.width <= 64) return launch_by_quads<8, 2>(w, queue);
  launch_by_quads<warp_lanes, 1>(w, queue);
}

void launch_cub(const workload& w, std::size_t& bytes, void* scratch, stream queue) {
  if (w.segments == 0) return;
  const auto begins =
      thrust::make_transform_iterator(thrust::counting_iterator<std::int64_t>(0), begin_of_segment{w.width});
  gpu::check(
      cub::DeviceSegmentedReduce::Sum(scratch, bytes, w.values.data(), w.sums.data(), as_integer(w.segments),
                                      begins, begins + 1, static_cast<cudaStream_t>(queue)),
      "cub::DeviceSegmentedReduce::Sum");
}

}  // namespace ridge::experiments::ch07_warp_shuffle
