// SPDX-License-Identifier: Apache-2.0
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <cub/device/device_segmented_radix_sort.cuh>

#include <ridge/gpu/check.hpp>

#include "topk_radix.hpp"

namespace ridge::experiments::ch08_topk_radix {
namespace {

struct start_of_row {
  std::int64_t columns;
  __host__ __device__ std::int64_t operator()(std::int64_t row) const { return row * columns; }
};

}  // namespace

void launch_cub_sort(const workload& w, std::size_t& bytes, void* scratch, stream queue) {
  if (w.rows == 0 || w.k == 0) return;
  const auto starts = thrust::make_transform_iterator(thrust::counting_iterator<std::int64_t>(0),
                                                      start_of_row{static_cast<std::int64_t>(w.columns)});
  // The sorted rows come first, what CUB needs follows from a boundary on.
  const std::size_t apart = (w.values.size() + 63) / 64 * 64, ours = apart * sizeof(float);
  auto* sorted = static_cast<float*>(scratch);
  std::size_t theirs = scratch == nullptr ? 0 : bytes - ours;
  gpu::check(cub::DeviceSegmentedRadixSort::SortKeysDescending(
                 scratch == nullptr ? nullptr : sorted + apart, theirs, w.values.data(), sorted,
                 as_integer(w.values.size()), as_integer(w.rows), starts, starts + 1, 0, 32,
                 static_cast<cudaStream_t>(queue)),
             "cub::DeviceSegmentedRadixSort::SortKeysDescending");
  if (scratch == nullptr) {
    bytes = ours + theirs;
    return;
  }
  gpu::check(cudaMemcpy2DAsync(w.largest.data(), w.k * sizeof(float), sorted, w.columns * sizeof(float),
                               w.k * sizeof(float), w.rows, cudaMemcpyDeviceToDevice, queue),
             "cudaMemcpy2DAsync of the largest");
}

}  // namespace ridge::experiments::ch08_topk_radix
