// SPDX-License-Identifier: Apache-2.0
#include <cub/device/device_reduce.cuh>

#include <ridge/gpu/check.hpp>

#include "reduce.hpp"

namespace ridge::experiments::ch08_reduce {

std::size_t cub_bytes(std::size_t terms) {
  std::size_t bytes = 0;
  const float* none = nullptr;
  gpu::check(cub::DeviceReduce::Sum(nullptr, bytes, none, static_cast<float*>(nullptr), terms),
             "cub::DeviceReduce::Sum");
  return bytes;
}

void launch_cub(const workload& w, std::span<std::byte> workspace, stream queue) {
  std::size_t bytes = workspace.size();
  gpu::check(
      cub::DeviceReduce::Sum(workspace.data(), bytes, w.terms.data(), w.sum.data(), w.terms.size(), queue),
      "cub::DeviceReduce::Sum");
}

}  // namespace ridge::experiments::ch08_reduce
