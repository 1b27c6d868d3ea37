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

void sort(void* workspace, std::size_t& bytes, const workload& w, float* sorted, cudaStream_t queue) {
  const auto starts = thrust::make_transform_iterator(thrust::counting_iterator<std::int64_t>(0),
                                                      start_of_row{static_cast<std::int64_t>(w.columns)});
  gpu::check(cub::DeviceSegmentedRadixSort::SortKeysDescending(
                 workspace, bytes, w.values.data(), sorted, static_cast<std::int64_t>(w.values.size()),
                 static_cast<std::int64_t>(w.rows), starts, starts + 1, 0, 32, queue),
             "cub::DeviceSegmentedRadixSort::SortKeysDescending");
}

}  // namespace

std::size_t cub_bytes(const workload& w) {
  std::size_t bytes = 0;
  sort(nullptr, bytes, w, nullptr, nullptr);
  return bytes;
}

void launch_cub_sort(const workload& w, std::span<float> sorted, std::span<std::byte> workspace,
                     stream queue) {
  if (w.rows == 0 || w.k == 0) return;
  std::size_t bytes = workspace.size();
  sort(workspace.data(), bytes, w, sorted.data(), queue);
  gpu::check(
      cudaMemcpy2DAsync(w.largest.data(), w.k * sizeof(float), sorted.data(), w.columns * sizeof(float),
                        w.k * sizeof(float), w.rows, cudaMemcpyDeviceToDevice, queue),
      "cudaMemcpy2DAsync of the largest");
}

}  // namespace ridge::experiments::ch08_topk_radix
