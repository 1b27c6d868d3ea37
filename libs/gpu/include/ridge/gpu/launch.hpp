// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <cuda_runtime_api.h>

namespace ridge::gpu {

// Grid, block and attributes of a kernel launch (CUDA C++ Programming Guide, execution configuration).
struct launch_shape {
  dim3 blocks = 1;               // of the grid
  dim3 threads = 1;              // of a block
  std::size_t shared_bytes = 0;  // dynamic shared memory of a block
  cudaStream_t stream = nullptr;
  // Programmatic dependent launch: the kernel may begin before its predecessor on the stream has ended; it
  // must execute griddepcontrol.wait before it touches what the predecessor reads or writes. Compute
  // capability 9.0.
  bool dependent = false;
};

// Number of blocks of `items_per_block` items that cover `count` items: the quotient rounded up.
[[nodiscard]] constexpr unsigned blocks_for(std::size_t count, std::size_t items_per_block) {
  return static_cast<unsigned>((count + items_per_block - 1) / items_per_block);
}

// Number of multiprocessors of the current device. Throws as gpu::check does.
[[nodiscard]] unsigned multiprocessors();

// Throws as gpu::check does when the last launch was refused; the message names the kernel that begins at the
// host address `kernel`.
void check_launch_of(const void* kernel);

// Allows blocks of the kernel at the host address `kernel` to use `bytes` of dynamic shared memory, which is
// necessary above 48 KiB. Throws as gpu::check does.
void allow_dynamic_shared_memory(const void* kernel, std::size_t bytes);

}  // namespace ridge::gpu
