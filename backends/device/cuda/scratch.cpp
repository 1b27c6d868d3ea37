// SPDX-License-Identifier: Apache-2.0
#include "scratch.hpp"

#include <fmt/format.h>

#include <ridge/base/units.hpp>
#include <ridge/gpu/check.hpp>

namespace ridge::backends::device_cuda {

device_memory allocate_device(std::size_t bytes) {
  void* made = nullptr;
  gpu::check(cudaMalloc(&made, bytes),
             fmt::format("cudaMalloc of {}", format_quantity(static_cast<double>(bytes), "B")));
  return device_memory(made);
}

void* scratch::at_least(std::size_t bytes) {
  if (bytes > bytes_) {
    memory_ = allocate_device(bytes);
    bytes_ = bytes;
  }
  return memory_.get();
}

}  // namespace ridge::backends::device_cuda
