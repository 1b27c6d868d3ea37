// SPDX-License-Identifier: Apache-2.0
#include <cub/device/device_scan.cuh>

#include <ridge/gpu/check.hpp>

#include "scan.hpp"

namespace ridge::experiments::ch08_scan {

std::size_t cub_bytes(std::size_t terms) {
  std::size_t bytes = 0;
  const float* none = nullptr;
  gpu::check(cub::DeviceScan::InclusiveSum(nullptr, bytes, none, static_cast<float*>(nullptr), terms),
             "cub::DeviceScan::InclusiveSum");
  return bytes;
}

void launch_cub(const workload& w, std::span<std::byte> workspace, stream queue) {
  std::size_t bytes = workspace.size();
  gpu::check(cub::DeviceScan::InclusiveSum(workspace.data(), bytes, w.terms.data(), w.sums.data(),
                                           w.terms.size(), queue),
             "cub::DeviceScan::InclusiveSum");
}

}  // namespace ridge::experiments::ch08_scan
