// SPDX-License-Identifier: Apache-2.0
#include "conditions/keep_busy.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <thread>

#include <cuda_runtime_api.h>

#include <ridge/gpu/check.hpp>

namespace ridge::backends::probe_cuda {
namespace {

struct free_device {
  void operator()(void* memory) const { static_cast<void>(cudaFree(memory)); }
};
struct free_pinned {
  void operator()(void* memory) const { static_cast<void>(cudaFreeHost(memory)); }
};
struct destroy_stream {
  void operator()(cudaStream_t stream) const { static_cast<void>(cudaStreamDestroy(stream)); }
};

using device_block = std::unique_ptr<void, free_device>;
using pinned_block = std::unique_ptr<void, free_pinned>;
using owned_stream = std::unique_ptr<CUstream_st, destroy_stream>;

device_block device_memory(std::size_t bytes) {
  void* memory = nullptr;
  gpu::check(cudaMalloc(&memory, bytes), "cudaMalloc of a block to write");
  return device_block(memory);
}

pinned_block pinned_memory(std::size_t bytes) {
  void* memory = nullptr;
  gpu::check(cudaMallocHost(&memory, bytes), "cudaMallocHost of a block to copy");
  return pinned_block(memory);
}

owned_stream stream() {
  cudaStream_t made = nullptr;
  gpu::check(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  return owned_stream(made);
}

}  // namespace

void while_busy(int index, const std::function<void()>& look) {
  constexpr std::size_t block_bytes = std::size_t{64} << 20, written_bytes = 8 * block_bytes;
  // About 0.1 s of either: copies at 50 GB/s, writes at 4 TB/s; slower links and memories last longer. Fewer
  // than the thousand that a queue takes before the host must wait.
  constexpr int copies = 80, writes = 800;
  int before = 0;
  gpu::check(cudaGetDevice(&before), "cudaGetDevice");
  gpu::check(cudaSetDevice(index), "cudaSetDevice");
  {
    const auto from = pinned_memory(block_bytes);
    const auto to = device_memory(block_bytes), written = device_memory(written_bytes);
    const auto copying = stream(), writing = stream();
    for (int i = 0; i < copies; ++i)
      gpu::check(cudaMemcpyAsync(to.get(), from.get(), block_bytes, cudaMemcpyHostToDevice, copying.get()),
                 "cudaMemcpyAsync");
    for (int i = 0; i < writes; ++i)
      gpu::check(cudaMemsetAsync(written.get(), i & 1, written_bytes, writing.get()), "cudaMemsetAsync");
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    look();
    gpu::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }
  gpu::check(cudaSetDevice(before), "cudaSetDevice");
}

}  // namespace ridge::backends::probe_cuda
