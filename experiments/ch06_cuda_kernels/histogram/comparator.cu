// SPDX-License-Identifier: Apache-2.0
#include <cub/device/device_histogram.cuh>

#include <ridge/gpu/check.hpp>

#include "histogram.hpp"

namespace ridge::experiments::ch06_histogram {

void launch_cub(const workload& w, std::size_t& bytes, void* scratch, stream queue) {
  constexpr int levels = int{bins} + 1, lowest = 0, beyond = int{bins};
  gpu::check(cub::DeviceHistogram::HistogramEven(scratch, bytes, w.bytes.data(), w.counts.data(), levels,
                                                 lowest, beyond, as_integer(w.bytes.size()),
                                                 static_cast<cudaStream_t>(queue)),
             "cub::DeviceHistogram::HistogramEven");
}

}  // namespace ridge::experiments::ch06_histogram
