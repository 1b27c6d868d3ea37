// SPDX-License-Identifier: Apache-2.0
#include "gpus.hpp"

#include <algorithm>

#include <cuda_runtime_api.h>

#include <fmt/format.h>

#include <ridge/base/error.hpp>
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

device::compute_capability capability_of(int ordinal) {
  device::compute_capability found;
  gpu::check(cudaDeviceGetAttribute(&found.major, cudaDevAttrComputeCapabilityMajor, ordinal),
             "cudaDeviceGetAttribute of the compute capability");
  gpu::check(cudaDeviceGetAttribute(&found.minor, cudaDevAttrComputeCapabilityMinor, ordinal),
             "cudaDeviceGetAttribute of the compute capability");
  return found;
}

bool reach_each_other(int gpu, int other) {
  if (gpu == other) return true;
  int there = 0, back = 0;
  gpu::check(cudaDeviceCanAccessPeer(&there, gpu, other), "cudaDeviceCanAccessPeer");
  gpu::check(cudaDeviceCanAccessPeer(&back, other, gpu), "cudaDeviceCanAccessPeer");
  return there != 0 && back != 0;
}

// cudaSetDevice makes a context, so it may be asked only where there is one.
device::gpu_use use_of(int ordinal, int own) {
  device::gpu_use seen{.compute_capability = capability_of(ordinal), .peer = reach_each_other(ordinal, own)};
  if (!has_context(ordinal)) return seen;
  std::size_t all = 0;
  gpu::check(cudaSetDevice(ordinal), "cudaSetDevice of an open GPU");
  gpu::check(cudaMemGetInfo(&seen.free_bytes, &all), "cudaMemGetInfo");
  seen.opened = true;
  return seen;
}

int gpu_count() {
  int count = 0;
  gpu::check(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
  return count;
}

void enable_peer(int current, int other) {
  gpu::check(cudaSetDevice(current), "cudaSetDevice of a peer");
  const auto code = cudaDeviceEnablePeerAccess(other, 0);
  if (code == cudaErrorPeerAccessAlreadyEnabled) {
    (void)cudaGetLastError();  // the runtime keeps it for the next check of a launch
    return;
  }
  gpu::check(code, "cudaDeviceEnablePeerAccess");
}

}  // namespace

std::vector<device::gpu_use> gpus_in_use(int current) {
  std::vector<device::gpu_use> all;
  for (int ordinal = 0; ordinal < gpu_count(); ++ordinal) all.push_back(use_of(ordinal, current));
  gpu::check(cudaSetDevice(current), "cudaSetDevice");
  std::rotate(all.begin(), all.begin() + current, all.begin() + current + 1);
  return all;
}

int ordinal_of(int gpu, int own) {
  if (gpu < 0 || gpu >= gpu_count()) {
    throw unavailable(fmt::format("GPU {} of the variant: CUDA sees {}", gpu, gpu_count()),
                      "see nvidia-smi and CUDA_VISIBLE_DEVICES");
  }
  if (gpu == 0) return own;
  return gpu <= own ? gpu - 1 : gpu;
}

void open_peer(int gpu, int own) {
  const int other = ordinal_of(gpu, own);
  if (other == own || !reach_each_other(own, other)) return;
  enable_peer(other, own);
  enable_peer(own, other);
}

}  // namespace ridge::backends::device_cuda
