// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include <cuda_runtime_api.h>

namespace ridge::gpu {

// The shape and attributes of a launch, for cudaLaunchKernelEx where <<<>>> cannot say them:
//   const auto how = kernel_launch(blocks, threads, queue).dependent();
//   gpu::check(cudaLaunchKernelEx(how.config(), kernel, arguments...), "launch of kernel");
class kernel_launch {
 public:
  kernel_launch(dim3 blocks, dim3 threads, cudaStream_t on, std::size_t shared_bytes = 0);

  // The kernel may begin while the one before it on the stream still runs, as soon as all blocks of that one
  // have executed griddepcontrol.launch_dependents or ended; it must execute griddepcontrol.wait before it
  // touches anything the one before reads or writes. Compute capability 9.0.
  kernel_launch& dependent();
  // Blocks of a cluster; each extent divides the grid's. Compute capability 9.0.
  kernel_launch& cluster(dim3 blocks);

  // Valid as long as this object stays where it is.
  [[nodiscard]] const cudaLaunchConfig_t* config() const;

 private:
  void add(const cudaLaunchAttribute& attribute);

  mutable cudaLaunchConfig_t config_{};
  mutable std::array<cudaLaunchAttribute, 2> attributes_{};
};

}  // namespace ridge::gpu
