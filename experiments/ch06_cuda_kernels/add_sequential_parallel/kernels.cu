// SPDX-License-Identifier: Apache-2.0
#include <functional>

#include <cub/device/device_transform.cuh>
#include <cuda/std/tuple>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/transform.cuh>

#include "add_sequential_parallel.hpp"

namespace ridge::experiments::ch06_add_sequential_parallel {
namespace {

constexpr unsigned threads = 256, most_threads = 1024;

// The one thread, or the threads of the one block, step over the whole array.
__global__ void __launch_bounds__(most_threads)
    add_in_one_block(const float* left, const float* right, float* sum, std::size_t n) {
  for (std::size_t i = threadIdx.x; i < n; i += blockDim.x) sum[i] = left[i] + right[i];
}

__global__ void __launch_bounds__(threads)
    add_parallel(const float* left, const float* right, float* sum, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t{threads} + threadIdx.x;
  if (i < n) sum[i] = left[i] + right[i];
}

void launch_in_one_block(const workload& w, unsigned threads_of_block, stream queue) {
  gpu::launch(add_in_one_block, {1, threads_of_block, 0, queue}, w.left.data(), w.right.data(), w.sum.data(),
              w.sum.size());
}

}  // namespace

void launch_one_thread(const workload& w, stream queue) { launch_in_one_block(w, 1, queue); }

void launch_one_block(const workload& w, stream queue) { launch_in_one_block(w, most_threads, queue); }

void launch_parallel(const workload& w, stream queue) {
  const auto n = w.sum.size();
  gpu::launch_each(add_parallel, n, threads, queue, w.left.data(), w.right.data(), w.sum.data(), n);
}

void launch_vectors(const workload& w, stream queue) {
  gpu::transform(std::plus<float>(), w.sum.size(), w.sum.data(), queue, w.left.data(), w.right.data());
}

void launch_cub(const workload& w, stream queue) {
  if (w.sum.empty()) return;
  const auto summands = cuda::std::make_tuple(w.left.data(), w.right.data());
  gpu::check(cub::DeviceTransform::Transform(summands, w.sum.data(), w.sum.size(), std::plus<float>(), queue),
             "cub::DeviceTransform::Transform");
}

}  // namespace ridge::experiments::ch06_add_sequential_parallel
