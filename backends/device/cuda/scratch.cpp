// SPDX-License-Identifier: Apache-2.0
#include "scratch.hpp"

namespace ridge::backends::device_cuda {

void* scratch::at_least(std::size_t bytes) {
  if (bytes > memory_.bytes()) memory_ = gpu::device_memory(bytes);
  return memory_.data();
}

}  // namespace ridge::backends::device_cuda
