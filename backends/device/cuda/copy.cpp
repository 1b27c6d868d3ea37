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

void copy(std::span<std::byte> to, std::span<const std::byte> from, cudaStream_t queue) {
  expects(to.size() == from.size(), "copy: both sides have the same size");
  if (to.empty()) return;
  if (in_host_memory(to.data()) && in_host_memory(from.data())) {
    // CUDA would copy at once, too, but says nothing of what is enqueued before.
    gpu::check(cudaStreamSynchronize(queue), "cudaStreamSynchronize before a copy");
    std::memcpy(to.data(), from.data(), to.size());
    return;
  }
  gpu::check(cudaMemcpyAsync(to.data(), from.data(), to.size(), cudaMemcpyDefault, queue),
             fmt::format("cudaMemcpyAsync of {}", format_quantity(static_cast<double>(to.size()), "B")));
}

}  // namespace ridge::backends::device_cuda
