// SPDX-License-Identifier: Apache-2.0
#include <cub/device/device_histogram.cuh>

#include <ridge/gpu/check.hpp>

#include "histogram.hpp"

namespace ridge::experiments::ch06_histogram {
namespace {

void count(void* workspace, std::size_t& bytes, const std::uint8_t* source, std::uint32_t* counts,
           std::size_t n, cudaStream_t queue) {
  constexpr int levels = int{bins} + 1, lowest = 0, beyond = int{bins};
  gpu::check(cub::DeviceHistogram::HistogramEven(workspace, bytes, source, counts, levels, lowest, beyond,
                                                 static_cast<std::int64_t>(n), queue),
             "cub::DeviceHistogram::HistogramEven");
}

}  // namespace

std::size_t cub_bytes(std::size_t n) {
  std::size_t bytes = 0;
  count(nullptr, bytes, nullptr, nullptr, n, nullptr);
  return bytes;
}

void launch_cub(const workload& w, std::span<std::byte> workspace, stream queue) {
  std::size_t bytes = workspace.size();
  count(workspace.data(), bytes, w.bytes.data(), w.counts.data(), w.bytes.size(), queue);
}

}  // namespace ridge::experiments::ch06_histogram
