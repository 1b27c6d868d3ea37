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

// The direction of a copy between host and device.
enum class direction : std::uint8_t { to_device, to_host };

// The direction's name in ids: "h2d" or "d2h".
[[nodiscard]] std::string_view name(direction way);

// Enqueues a copy of `bytes` on `stream`. Throws as gpu::check does.
void enqueue_copy(direction way, void* device, void* host, std::size_t bytes, cudaStream_t stream);

// Seconds, by events, of each of `samples` calls of `enqueue`, after one call that is not counted. With
// `held` the stream is held until the host has enqueued the work, which is not possible where the call waits
// for the device.
[[nodiscard]] std::vector<double> seconds_of(int samples, bool held, cudaStream_t stream,
                                             const std::function<void()>& enqueue);

// The model T(V) = latency_s + V / bytes_per_s of a copy's time by its volume V.
struct transfer_fit {
  double latency_s = 0, bytes_per_s = 0;
};
// The measured time of a copy of `bytes`.
struct transfer_time {
  double bytes = 0, seconds = 0;
};
// Fits the model by least squares of the relative errors. Needs at least two sizes and positive times; the
// rate is 0 where the time does not grow with the size.
[[nodiscard]] transfer_fit fitted(const std::vector<transfer_time>& times);

}  // namespace ridge::backends::probe_cuda
