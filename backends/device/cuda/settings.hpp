// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <cuda_runtime_api.h>

namespace ridge::backends::device_cuda {

// What a process can set of its GPU that the work of others depends on. Sizes are bytes.
struct settings {
  std::size_t heap = 0, prints = 0, fetch_granularity = 0;
  int current_device = 0;
  unsigned schedule = 0;  // how the host waits; the driver changes other flags by itself
  int cache_preference = 0;
  bool default_pool = true;  // stream-ordered allocations come from the device's default pool
  std::uint64_t kept_by_pool = 0;
  std::size_t window_of_queue = 0;  // of its access policy
};

// Reads them for the GPU `ordinal` and the stream `queue`; what the driver does not tell stays 0.
[[nodiscard]] settings read_settings(int ordinal, cudaStream_t queue);

// Describes the first setting that is another one afterwards; empty where all are as they were.
[[nodiscard]] std::string difference(const settings& before, const settings& after);

}  // namespace ridge::backends::device_cuda
