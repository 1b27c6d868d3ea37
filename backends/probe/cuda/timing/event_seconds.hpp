// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include <cuda_runtime_api.h>

namespace ridge::backends::probe_cuda {

// Seconds between events before and after the work that `enqueue` puts on `stream`. Waits for the work, and
// throws as gpu::check does. Gaps in which the host has not yet enqueued the next operation count, unlike
// with held_timer.
[[nodiscard]] double event_seconds(cudaStream_t stream, const std::function<void()>& enqueue);

}  // namespace ridge::backends::probe_cuda
