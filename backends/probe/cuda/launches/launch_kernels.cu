// SPDX-License-Identifier: Apache-2.0
#include "launches/launch_kernels.cuh"

#include <cooperative_groups.h>

#include <algorithm>
#include <cstdint>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/kernel_launch.hpp>
#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/ptx/griddepcontrol.cuh>
#include <ridge/gpu/ptx/special_registers.cuh>

namespace ridge::backends::probe_cuda {
namespace {

struct four_kilobytes {
  char bytes[4000];  // every GPU accepts 4096
};

__global__ void arguments_kernel(const __grid_constant__ four_kilobytes given, char* target) {
  if (target) *target = given.bytes[threadIdx.x];
}

__global__ void dependent_kernel() {
  gpu::ptx::griddepcontrol_launch_dependents();
  gpu::ptx::griddepcontrol_wait();
}

__global__ void step_kernel(float* x, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) x[i] += 1;
}

__global__ void __launch_bounds__(256) meetings_kernel(int rounds) {
  const auto grid = cooperative_groups::this_grid();
  for (int i = 0; i < rounds; ++i) grid.sync();
}

__global__ void __launch_bounds__(1024) busy_kernel(std::uint64_t nanoseconds) {
  const auto start = gpu::ptx::globaltimer();
  while (gpu::ptx::globaltimer() - start < nanoseconds) __nanosleep(500);
}

}  // namespace

void launch_with_arguments(cudaStream_t stream) {
  static constexpr four_kilobytes given{};
  gpu::launch(arguments_kernel, {1, 1, 0, stream}, given, nullptr);
}

void launch_dependent(cudaStream_t stream) {
  const auto how = gpu::kernel_launch(dim3(1), dim3(1), stream).dependent();
  gpu::check(cudaLaunchKernelEx(how.config(), dependent_kernel), "launch of dependent_kernel");
}

void launch_step(float* x, std::size_t count, cudaStream_t stream) {
  gpu::launch(step_kernel, {gpu::blocks_for(count, 256), 256, 0, stream}, x, static_cast<unsigned>(count));
}

void launch_meetings(int processors, int rounds, cudaStream_t stream) {
  void* given[] = {&rounds};
  gpu::check(
      cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(meetings_kernel),
                                  dim3(static_cast<unsigned>(processors)), dim3(256), given, 0, stream),
      "cudaLaunchCooperativeKernel");
}

void keep_busy(int processors, double seconds, cudaStream_t stream) {
  const auto nanoseconds = static_cast<std::uint64_t>(std::clamp(seconds, 0.0, 1.0) * 1e9);
  gpu::launch(busy_kernel, {2 * static_cast<unsigned>(processors), 1024, 0, stream}, nanoseconds);
}

}  // namespace ridge::backends::probe_cuda
