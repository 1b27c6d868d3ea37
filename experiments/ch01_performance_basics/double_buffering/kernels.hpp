// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include <cuda_runtime_api.h>

namespace ridge::experiments::ch01_double_buffering {

// The address under which the device reads pinned host memory. Throws failure where it cannot.
[[nodiscard]] std::span<const float> seen_by_device(std::span<const float> pinned);

// Enqueues the transfer: target[b] = table[wanted[b]], block by block. `table` may lie in pinned host memory;
// the rest on the device.
void gather_blocks(std::span<const float> table, std::span<const std::uint32_t> wanted,
                   std::span<float> target, cudaStream_t stream);
// Enqueues the compute of whole rows (the last may be shorter) in place; all on the device.
void compute_rows(std::span<const float> coefficients, std::span<float> values, cudaStream_t stream);
// Both in one kernel: the rows are gathered out of the device's own memory.
void compute_gathered_rows(std::span<const float> table, std::span<const std::uint32_t> order,
                           std::span<const float> coefficients, std::span<float> result, cudaStream_t stream);

}  // namespace ridge::experiments::ch01_double_buffering
