// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <cuda_runtime_api.h>

#include <ridge/base/dtype.hpp>
#include <ridge/device/array_summaries.hpp>

#include "scratch.hpp"

namespace ridge::backends::device_cuda {

// The sums of one block as the device writes them.
struct partial_sum {
  double sum, sum_abs;
  unsigned long long not_finite;
};

// Enqueues the sums of device::block_sums for memory that the device may read, added up in another order
// (slices.hpp); they are in to_host[0 .. blocks) when the queue has come that far.
void enqueue_block_sums(std::span<const std::byte> source, dtype type, std::size_t blocks, scratch& room,
                        partial_sum* to_host, cudaStream_t queue);

// The sums of a source of so many elements, as device::block_sums returns them.
[[nodiscard]] std::vector<device::block_sum> sums_of(std::span<const partial_sum> parts,
                                                     std::uint64_t elements);

}  // namespace ridge::backends::device_cuda
