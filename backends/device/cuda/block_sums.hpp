// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <cuda_runtime_api.h>

#include <ridge/base/dtype.hpp>
#include <ridge/device/device.hpp>

#include "scratch.hpp"

namespace ridge::backends::device_cuda {

// What the device makes of one block.
struct partial_sum {
  double sum, sum_abs;
  unsigned long long not_finite;
};

// Enqueues device::block_sums of memory the device may read, in an order of additions of its own
// (slices.hpp); they are in to_host[0 .. blocks) when the queue has come that far.
void enqueue_block_sums(std::span<const std::byte> source, dtype type, std::size_t blocks, scratch& room,
                        partial_sum* to_host, cudaStream_t queue);

// What they say of a source of so many elements.
[[nodiscard]] std::vector<device::block_sum> sums_of(std::span<const partial_sum> parts,
                                                     std::uint64_t elements);

}  // namespace ridge::backends::device_cuda
