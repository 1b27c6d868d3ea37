// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include <cuda_runtime_api.h>

#include <ridge/model/ceiling.hpp>

namespace ridge::backends::probe_cuda {

enum class direction : std::uint8_t { to_device, to_host };

[[nodiscard]] std::string_view name(direction way);  // "h2d", "d2h"

// Enqueues the copy of so many bytes.
void enqueue_copy(direction way, void* device, void* host, std::size_t bytes, cudaStream_t stream);

// Seconds by events of each of `samples` calls, after one that is not counted. `held`: the stream is held
// back until the host has enqueued (not where the call waits for the device).
[[nodiscard]] std::vector<double> seconds_of(int samples, bool held, cudaStream_t stream,
                                             const std::function<void()>& enqueue);

// What takes T(V) = latency_s + V / bytes_a_s, fitted by least squares of the relative errors.
struct transfer_fit {
  double latency_s = 0, bytes_a_s = 0;
};
struct transfer_time {
  double bytes = 0, seconds = 0;
};
// At least two sizes, times positive.
[[nodiscard]] transfer_fit fitted(const std::vector<transfer_time>& times);

}  // namespace ridge::backends::probe_cuda
