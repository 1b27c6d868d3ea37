// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include <cuda_runtime_api.h>

namespace ridge::gpu {

// The shape and attributes of a launch by cudaLaunchKernelEx, for attributes that <<<>>> cannot express:
//   const auto launch = kernel_launch(blocks, threads, stream).dependent();
//   gpu::check(cudaLaunchKernelEx(launch.config(), kernel, arguments...), "launch of kernel");
class kernel_launch {
 public:
  // `blocks` of the grid with `threads` each and `shared_bytes` of dynamic shared memory per block.
  kernel_launch(dim3 blocks, dim3 threads, cudaStream_t stream, std::size_t shared_bytes = 0);

  // Programmatic dependent launch: the kernel may begin while its predecessor on the stream still runs, as
  // soon as all blocks of the predecessor have executed griddepcontrol.launch_dependents or ended. It must
  // execute griddepcontrol.wait before it touches anything that the predecessor reads or writes. Compute
  // capability 9.0.
  kernel_launch& dependent();
  // Groups the grid into clusters of `blocks`; each extent divides the grid's. Compute capability 9.0.
  kernel_launch& cluster(dim3 blocks);

  // All blocks are on the device at once, so that they may wait for each other; a grid that does not fit is
  // refused.
  kernel_launch& cooperative();

  // The configuration for cudaLaunchKernelEx, valid until this object is moved, copied over or destroyed.
  [[nodiscard]] const cudaLaunchConfig_t* config() const;

 private:
  void add(const cudaLaunchAttribute& attribute);

  mutable cudaLaunchConfig_t config_{};
  mutable std::array<cudaLaunchAttribute, 3> attributes_{};
};

}  // namespace ridge::gpu
