// SPDX-License-Identifier: Apache-2.0
#include "copy.hpp"

#include <fmt/format.h>

#include <ridge/base/expects.hpp>
#include <ridge/base/units.hpp>
#include <ridge/gpu/check.hpp>

namespace ridge::backends::device_cuda {

bool pageable(const void* memory) {
  cudaPointerAttributes found{};
  gpu::check(cudaPointerGetAttributes(&found, memory), "cudaPointerGetAttributes of an array");
  return found.type == cudaMemoryTypeUnregistered;
}

void copy(std::span<std::byte> to, std::span<const std::byte> from, cudaStream_t queue) {
  expects(to.size() == from.size(), "copy: both sides have the same size");
  if (to.empty()) return;
  gpu::check(cudaMemcpyAsync(to.data(), from.data(), to.size(), cudaMemcpyDefault, queue),
             fmt::format("cudaMemcpyAsync of {}", format_quantity(static_cast<double>(to.size()), "B")));
}

}  // namespace ridge::backends::device_cuda
