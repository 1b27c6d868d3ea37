// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <cuda_runtime_api.h>

#include <ridge/base/error.hpp>
#include <ridge/gpu/check.hpp>
#include <ridge/gpu/nvml_device.hpp>
#include <ridge/probe/gpu_condition.hpp>

#include "conditions/keep_busy.hpp"
#include "conditions/nvml_condition.hpp"

namespace ridge::backends::probe_cuda {
namespace {

int condition_attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  gpu::check(cudaDeviceGetAttribute(&value, which, device), "cudaDeviceGetAttribute");
  return value;
}

probe::gpu_condition identity(int device) {
  cudaDeviceProp properties{};
  gpu::check(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
  std::array<char, 32> bus_id{};
  gpu::check(cudaDeviceGetPCIBusId(bus_id.data(), static_cast<int>(bus_id.size()), device),
             "cudaDeviceGetPCIBusId");
  return {.index = device,
          .name = properties.name,
          .bus_id = bus_id.data(),
          .capability = 10 * condition_attribute(cudaDevAttrComputeCapabilityMajor, device) +
                        condition_attribute(cudaDevAttrComputeCapabilityMinor, device),
          .memory_bytes = properties.totalGlobalMem};
}

probe::gpu_condition condition_of(int device) {
  auto made = identity(device);
  const auto& functions = gpu::nvml();
  if (!functions) return made;
  const auto managed = gpu::nvml_device::find(*functions, made.bus_id);
  if (!managed) return made;
  // This process has no context yet, so every process that is listed is another one.
  if (const auto processes = managed->compute_processes()) made.other_processes = processes->others;
  read_condition(*functions, managed->handle(), made);
  try {
    while_busy(device, [&] { read_under_load(*functions, managed->handle(), made); });
  } catch (const failure&) {
    // A GPU that has no free memory or may not be used is described in its idle state.
    static_cast<void>(cudaGetLastError());
  }
  return made;
}

std::vector<probe::gpu_peers> condition_peers(int devices) {
  std::vector<probe::gpu_peers> all;
  for (int from = 0; from < devices; ++from) {
    for (int to = 0; to < devices; ++to) {
      if (from == to) continue;
      int access = 0;
      gpu::check(cudaDeviceCanAccessPeer(&access, from, to), "cudaDeviceCanAccessPeer");
      all.push_back({from, to, access == 1});
    }
  }
  return all;
}

}  // namespace

// The GPUs that CUDA shows, each in its idle state and then under a short load. Refusals by CUDA or the
// driver do not throw; they are described in `unreadable`.
probe::gpu_conditions read_gpu_conditions() {
  probe::gpu_conditions made;
  try {
    gpu::check(cudaDriverGetVersion(&made.driver_cuda), "cudaDriverGetVersion");
    gpu::check(cudaRuntimeGetVersion(&made.runtime_cuda), "cudaRuntimeGetVersion");
    int devices = 0;
    gpu::check(cudaGetDeviceCount(&devices), "cudaGetDeviceCount");
    for (int device = 0; device < devices; ++device) made.gpus.push_back(condition_of(device));
    made.peers = condition_peers(devices);
  } catch (const failure& refused) {
    made.unreadable = refused.why().text();
  }
  if (const auto& functions = gpu::nvml()) made.confidential = read_confidential(*functions);
  return made;
}

}  // namespace ridge::backends::probe_cuda
