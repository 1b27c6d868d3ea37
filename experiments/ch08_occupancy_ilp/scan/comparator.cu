// SPDX-License-Identifier: Apache-2.0
#include <cub/device/device_scan.cuh>

#include <ridge/gpu/check.hpp>

#include "scan.hpp"

namespace ridge::experiments::ch08_scan {

void launch_cub(const workload& w, std::size_t& bytes, void* scratch, stream queue) {
  gpu::check(
      cub::DeviceScan::InclusiveSum(scratch, bytes, w.terms.data(), w.sums.data(), w.terms.size(), queue),
      "cub::DeviceScan::InclusiveSum");
}

}  // namespace ridge::experiments::ch08_scan
