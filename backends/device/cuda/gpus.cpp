// SPDX-License-Identifier: Apache-2.0
#include "gpus.hpp"

#include <algorithm>

#include <cuda_runtime_api.h>

#include <ridge/gpu/check.hpp>

#include "driver.hpp"

namespace ridge::backends::device_cuda {
namespace {

bool has_context(int ordinal) {
  CUdevice found{};
  unsigned flags = 0;
  int active = 0;
  check(the_driver().device_of(&found, ordinal), "cuDeviceGet");
  check(the_driver().context_state(found, &flags, &active), "cuDevicePrimaryCtxGetState");
  return active != 0;
}

// cudaSetDevice makes a context, so it may be asked only where there is one.
device::gpu_use use_of(int ordinal) {
  if (!has_context(ordinal)) return {};
  std::size_t free = 0, all = 0;
  gpu::check(cudaSetDevice(ordinal), "cudaSetDevice of an open GPU");
  gpu::check(cudaMemGetInfo(&free, &all), "cudaMemGetInfo");
  return {.opened = true, .free_bytes = free};
}

}  // namespace

std::vector<device::gpu_use> gpus_in_use(int current) {
  int count = 0;
  gpu::check(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
  std::vector<device::gpu_use> all;
  for (int ordinal = 0; ordinal < count; ++ordinal) all.push_back(use_of(ordinal));
  gpu::check(cudaSetDevice(current), "cudaSetDevice");
  std::rotate(all.begin(), all.begin() + current, all.begin() + current + 1);
  return all;
}

}  // namespace ridge::backends::device_cuda
