// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>

#include <cub/device/device_radix_sort.cuh>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/launch.cuh>

#include "gather_sorted.hpp"

namespace ridge::experiments::ch07_gather_sorted {
namespace {

constexpr unsigned threads = 256;

__device__ std::size_t thread_of_grid() { return blockIdx.x * std::size_t{threads} + threadIdx.x; }

__global__ void __launch_bounds__(threads) count_up(std::uint32_t* places, std::size_t n) {
  const std::size_t i = thread_of_grid();
  if (i < n) places[i] = static_cast<std::uint32_t>(i);
}

__global__ void __launch_bounds__(threads)
    gather_and_scatter(const float* table, const std::uint32_t* index, const std::uint32_t* places,
                       float* target, std::size_t n) {
  const std::size_t i = thread_of_grid();
  if (i < n) target[places[i]] = __ldg(table + index[i]);
}

}  // namespace

void launch_sorted(const workload& w, std::size_t& bytes, void* scratch, stream queue) {
  const auto n = w.index.size();
  if (n == 0) return;
  // The places, the sorted indices and theirs come first, each from a boundary on; what CUB needs follows.
  const std::size_t apart = (n + 63) / 64 * 64, ours = 3 * apart * sizeof(std::uint32_t);
  auto* places = static_cast<std::uint32_t*>(scratch);
  std::size_t theirs = scratch == nullptr ? 0 : bytes - ours;
  if (scratch != nullptr) gpu::launch_each(count_up, n, threads, queue, places, n);
  int bits = 0;
  while (w.table.size() - 1 >> bits != 0) ++bits;
  gpu::check(cub::DeviceRadixSort::SortPairs(scratch == nullptr ? nullptr : places + 3 * apart, theirs,
                                             w.index.data(), places + apart, places, places + 2 * apart,
                                             as_integer(n), 0, bits, queue),
             "cub::DeviceRadixSort::SortPairs");
  if (scratch == nullptr) {
    bytes = ours + theirs;
    return;
  }
  gpu::launch_each(gather_and_scatter, n, threads, queue, w.table.data(), places + apart, places + 2 * apart,
                   w.target.data(), n);
}

}  // namespace ridge::experiments::ch07_gather_sorted
