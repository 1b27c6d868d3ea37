// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/base/result.hpp>

namespace ridge::app_plan {

// The requests that are to be simulated, all of them in memory at a time.
struct simulated_requests {
  double count = 0;            // with their repetitions
  double blocks_a_prompt = 0;  // names of the blocks of the KV cache that a prompt is made of; 0: none
};

// Bytes that simulating them takes at least: measured 137 bytes a request (Azure's and Poisson's loads), and
// 32 for each name of a block in the workload and in caches.
[[nodiscard]] double bytes_of(const simulated_requests& r);

// Bytes that this process may still take: the machine's available memory, or the limit of its control group
// or of its address space (ulimit -v), whichever is least.
[[nodiscard]] double free_bytes();

// Refuses requests that take more than `free` bytes. The error names their number, both sizes and what to do.
[[nodiscard]] result<void> check_memory(const simulated_requests& r, double free);

}  // namespace ridge::app_plan
