// SPDX-License-Identifier: Apache-2.0
#include "gpu_bench.hpp"

#include <ridge/base/error.hpp>
#include <ridge/gpu/check.hpp>

#include "memory/stream_check.cuh"

namespace ridge::backends::probe_cuda {

gpu_bench::gpu_bench() {
  int count = 0;
  const auto asked = cudaGetDeviceCount(&count);
  if (asked != cudaSuccess || count == 0)
    throw unavailable("a GPU", asked == cudaSuccess ? "CUDA sees none" : cudaGetErrorString(asked));
  gpu::check(cudaGetDeviceProperties(&gpu_, 0), "cudaGetDeviceProperties");
}

float* gpu_bench::from() {
  if (!from_) {
    from_ = std::make_unique<device_memory>(array_bytes);
    fill_random(from_->get(), array_bytes, 1, nullptr);
  }
  return from_->get();
}

float* gpu_bench::to() {
  if (!to_) to_ = std::make_unique<device_memory>(array_bytes);
  return to_->get();
}

void gpu_bench::release() {
  from_.reset();
  to_.reset();
}

}  // namespace ridge::backends::probe_cuda
