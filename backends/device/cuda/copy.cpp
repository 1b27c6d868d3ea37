// SPDX-License-Identifier: Apache-2.0
#include "copy.hpp"

#include <cstring>

#include <fmt/format.h>

#include <ridge/base/expects.hpp>
#include <ridge/base/units.hpp>
#include <ridge/gpu/check.hpp>

namespace ridge::backends::device_cuda {

namespace {

cudaMemoryType type_of(const void* memory) {
  cudaPointerAttributes found{};
  gpu::check(cudaPointerGetAttributes(&found, memory), "cudaPointerGetAttributes of an array");
  return found.type;
}

bool in_host_memory(const void* memory) {
  const cudaMemoryType type = type_of(memory);
  return type == cudaMemoryTypeUnregistered || type == cudaMemoryTypeHost;
}

}  // namespace

bool pageable(const void* memory) { return type_of(memory) == cudaMemoryTypeUnregistered; }

void copy(std::span<std::byte> target, std::span<const std::byte> source, cudaStream_t queue) {
  expects(target.size() == source.size(), "copy: both sides have the same size");
  if (target.empty()) return;
  if (in_host_memory(target.data()) && in_host_memory(source.data())) {
    // CUDA would also copy at once, but does not promise to wait for the queue.
    gpu::check(cudaStreamSynchronize(queue), "cudaStreamSynchronize before a copy");
    std::memcpy(target.data(), source.data(), target.size());
    return;
  }
  gpu::check(cudaMemcpyAsync(target.data(), source.data(), target.size(), cudaMemcpyDefault, queue),
             fmt::format("cudaMemcpyAsync of {}", format_quantity(static_cast<double>(target.size()), "B")));
}

}  // namespace ridge::backends::device_cuda
