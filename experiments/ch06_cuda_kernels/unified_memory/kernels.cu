// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/launch.cuh>

#include "unified_memory.hpp"

namespace ridge::experiments::ch06_unified_memory {
namespace {

constexpr unsigned threads = 256;

__global__ void __launch_bounds__(threads)
    double_elements(const float* source, float* target, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t{threads} + threadIdx.x;
  if (i < n) target[i] = source[i] + source[i];
}

}  // namespace

void launch_double(input<float> source, output<float> target, stream queue) {
  const auto n = source.size();
  gpu::launch_each(double_elements, n, threads, queue, source.data(), target.data(), n);
}

}  // namespace ridge::experiments::ch06_unified_memory
