// SPDX-License-Identifier: Apache-2.0
#include <cub/device/device_reduce.cuh>

#include <ridge/gpu/check.hpp>

#include "reduce.hpp"

namespace ridge::experiments::ch08_reduce {

void launch_cub(const workload& w, std::size_t& bytes, void* scratch, stream queue) {
  gpu::check(cub::DeviceReduce::Sum(scratch, bytes, w.terms.data(), w.sum.data(), w.terms.size(), queue),
             "cub::DeviceReduce::Sum");
}

}  // namespace ridge::experiments::ch08_reduce
