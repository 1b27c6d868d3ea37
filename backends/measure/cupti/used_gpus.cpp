// SPDX-License-Identifier: Apache-2.0
#include "used_gpus.hpp"

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <ridge/gpu/check.hpp>

namespace ridge::backends::measure_cupti {
namespace {

using context_state = decltype(&cuDevicePrimaryCtxGetState);

// Returns a function of libcuda, which is never linked: the runtime finds it. Returns null where it does not.
context_state find_context_state() {
  constexpr unsigned since = 7000;
  void* address = nullptr;
  cudaDriverEntryPointQueryResult found{};
  const auto code = cudaGetDriverEntryPointByVersion("cuDevicePrimaryCtxGetState", &address, since,
                                                     cudaEnableDefault, &found);
  if (code != cudaSuccess || found != cudaDriverEntryPointSuccess) {
    (void)cudaGetLastError();
    return nullptr;
  }
  return reinterpret_cast<context_state>(address);
}

bool used(context_state state, int device) {
  unsigned flags = 0;
  int active = 0;
  return state != nullptr && state(device, &flags, &active) == CUDA_SUCCESS && active != 0;
}

}  // namespace

void wait_for_used_gpus() {
  int count = 0, current = 0;
  gpu::check(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
  gpu::check(cudaGetDevice(&current), "cudaGetDevice");
  gpu::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize of what was traced");
  static const auto state = find_context_state();
  for (int device = 0; device < count; ++device) {
    if (device == current || !used(state, device)) continue;
    gpu::check(cudaSetDevice(device), "cudaSetDevice of another GPU that was used");
    const auto code = cudaDeviceSynchronize();
    gpu::check(cudaSetDevice(current), "cudaSetDevice back");
    gpu::check(code, "cudaDeviceSynchronize of another GPU that was used");
  }
}

}  // namespace ridge::backends::measure_cupti
