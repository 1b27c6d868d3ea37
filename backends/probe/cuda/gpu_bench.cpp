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
  gpu::check(cudaGetDeviceProperties(&properties_, 0), "cudaGetDeviceProperties");
}

float* gpu_bench::source() {
  if (source_.bytes() == 0) {
    source_ = gpu::device_memory(array_bytes);
    fill_random(source_.as<float>(), array_bytes, 1, nullptr);
  }
  return source_.as<float>();
}

float* gpu_bench::target() {
  if (target_.bytes() == 0) target_ = gpu::device_memory(array_bytes);
  return target_.as<float>();
}

void gpu_bench::release() {
  source_ = {};
  target_ = {};
}

}  // namespace ridge::backends::probe_cuda
