// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <ridge/harness/workload.hpp>

namespace ridge::experiments::ch06_histogram {

inline constexpr std::size_t bins = 256;

// counts[b] is how many of the bytes are b.
struct workload {
  input<std::uint8_t> bytes{};
  output<std::uint32_t> counts{};
};

[[gnu::weak]] ladder<workload> cuda();
// Each enqueues a histogram of kernels.cu on `queue`: atomic additions in global memory; bins of each block
// in shared memory; the same after a warp has put equal bytes together; bins of each lane in shared memory.
void launch_global_atomics(const workload& w, stream queue);
void launch_shared_bins(const workload& w, stream queue);
void launch_warp_aggregated(const workload& w, stream queue);
void launch_lane_bins(const workload& w, stream queue);

// In comparator.cu: cub::DeviceHistogram::HistogramEven; without scratch it says how many bytes it needs.
void launch_cub(const workload& w, std::size_t& bytes, void* scratch, stream queue);

}  // namespace ridge::experiments::ch06_histogram
