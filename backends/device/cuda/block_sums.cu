// SPDX-License-Identifier: Apache-2.0
#include "block_sums.hpp"

#include <limits>
#include <type_traits>

#include <ridge/base/expects.hpp>
#include <ridge/base/with_dtype.hpp>
#include <ridge/gpu/check.hpp>

#include "slices.hpp"

namespace ridge::backends::device_cuda {
namespace {

constexpr unsigned threads = 256;

using partial = partial_sum;

__device__ void take(partial& p, double x) {
  const double magnitude = fabs(x);
  const bool finite = magnitude <= std::numeric_limits<double>::max();
  p.sum += finite ? x : 0;
  p.sum_abs += finite ? magnitude : 0;
  p.not_finite += finite ? 0 : 1;
}

__device__ void add(partial& total, const partial& other) {
  total.sum += other.sum;
  total.sum_abs += other.sum_abs;
  total.not_finite += other.not_finite;
}

// Adds the threads' partial sums in pairs; thread 0 returns the total.
__device__ partial total_of(const partial& own) {
  __shared__ partial all[threads];
  all[threadIdx.x] = own;
  for (unsigned width = threads / 2; width > 0; width /= 2) {
    __syncthreads();
    if (threadIdx.x < width) add(all[threadIdx.x], all[threadIdx.x + width]);
  }
  return all[threadIdx.x];
}

template <class T>
__device__ double widened(T x) {
  if constexpr (std::is_integral_v<T> || std::is_same_v<T, double>)
    return static_cast<double>(x);
  else
    return static_cast<float>(x);
}

template <class T>
__global__ void __launch_bounds__(threads) sum_slices(const T* source, slices cut, partial* parts) {
  const std::uint64_t block = blockIdx.x / cut.per_part, slice = blockIdx.x % cut.per_part;
  const std::uint64_t end = cut.end(block, slice);
  partial own{};
#pragma unroll 8
  for (std::uint64_t i = cut.begin(block, slice) + threadIdx.x; i < end; i += threads) {
    take(own, widened(source[i]));
  }
  const partial total = total_of(own);
  if (threadIdx.x == 0) parts[blockIdx.x] = total;
}

__global__ void __launch_bounds__(threads)
    sum_parts(const partial* parts, std::uint64_t per_part, partial* sums) {
  partial own{};
  for (std::uint64_t s = threadIdx.x; s < per_part; s += threads) {
    add(own, parts[blockIdx.x * per_part + s]);
  }
  const partial total = total_of(own);
  if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

}  // namespace

void enqueue_block_sums(std::span<const std::byte> source, dtype type, std::size_t blocks, scratch& room,
                        partial_sum* to_host, cudaStream_t queue) {
  expects(blocks > 0, "block_sums: at least one block");
  expects(source.size() % size_of(type) == 0, "block_sums: the source holds whole elements");
  const slices cut(source.size() / size_of(type), blocks);
  const auto parts = static_cast<unsigned>(blocks), all = static_cast<unsigned>(blocks * cut.per_part);
  auto* of_parts = static_cast<partial*>(room.at_least((std::size_t{parts} + all) * sizeof(partial)));
  partial* of_slices = of_parts + parts;
  with_dtype(type, [&]<class T>() {
    sum_slices<<<all, threads, 0, queue>>>(reinterpret_cast<const T*>(source.data()), cut, of_slices);
  });
  gpu::check_launch("sum_slices");
  sum_parts<<<parts, threads, 0, queue>>>(of_slices, cut.per_part, of_parts);
  gpu::check_launch("sum_parts");
  gpu::check(cudaMemcpyAsync(to_host, of_parts, blocks * sizeof(partial), cudaMemcpyDefault, queue),
             "cudaMemcpyAsync of block sums");
}

std::vector<device::block_sum> sums_of(std::span<const partial_sum> parts, std::uint64_t elements) {
  const slices cut(elements, parts.size());
  std::vector<device::block_sum> made(parts.size());
  for (std::size_t b = 0; b < parts.size(); ++b) {
    made[b] = {parts[b].sum, parts[b].sum_abs, cut.begin(b + 1, 0) - cut.begin(b, 0), parts[b].not_finite};
  }
  return made;
}

}  // namespace ridge::backends::device_cuda
