// SPDX-License-Identifier: Apache-2.0
#include "conditions/keep_busy.hpp"

#include <chrono>
#include <cstddef>
#include <thread>

#include <cuda_runtime_api.h>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/memory.hpp>
#include <ridge/gpu/stream.hpp>

namespace ridge::backends::probe_cuda {
void while_busy(int index, const std::function<void()>& look) {
  constexpr std::size_t block_bytes = std::size_t{64} << 20, written_bytes = 8 * block_bytes;
  // Each takes about 0.1 s, with copies at 50 GB/s and writes at 4 TB/s, and longer on slower links and
  // memories. They are fewer than the thousand operations that a stream accepts before the host must wait.
  constexpr int copies = 80, writes = 800;
  int before = 0;
  gpu::check(cudaGetDevice(&before), "cudaGetDevice");
  gpu::check(cudaSetDevice(index), "cudaSetDevice");
  {
    const gpu::pinned_memory from(block_bytes, cudaHostAllocDefault);
    const gpu::device_memory to(block_bytes), written(written_bytes);
    const gpu::stream copying, writing;
    for (int i = 0; i < copies; ++i)
      gpu::check(cudaMemcpyAsync(to.data(), from.data(), block_bytes, cudaMemcpyHostToDevice, copying),
                 "cudaMemcpyAsync");
    for (int i = 0; i < writes; ++i)
      gpu::check(cudaMemsetAsync(written.data(), i & 1, written_bytes, writing), "cudaMemsetAsync");
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    look();
    gpu::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }
  gpu::check(cudaSetDevice(before), "cudaSetDevice");
}

}  // namespace ridge::backends::probe_cuda
