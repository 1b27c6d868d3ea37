// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>

#include <cuda_runtime_api.h>

#include <ridge/base/error.hpp>

namespace ridge::vendor {

// How many of cuDNN's plans are made, in the order that its heuristics propose: some take seconds to compile.
inline constexpr std::size_t most_plans = 4;

// The fastest of `count` ways in which a library may do a task: each is enqueued on `stream` once to warm up
// and then three times, and judged by its shortest time. `enqueue` takes the way's index and returns whether
// the library accepts it. Waits for the stream. Throws unavailable where the library accepts none.
[[nodiscard]] inline std::size_t fastest_of(std::size_t count, cudaStream_t stream,
                                            const std::function<bool(std::size_t)>& enqueue) {
  struct destroy {
    void operator()(cudaEvent_t event) const { cudaEventDestroy(event); }
  };
  const auto make_event = [] {
    cudaEvent_t event = nullptr;
    if (cudaEventCreate(&event) != cudaSuccess) throw failure({"cudaEventCreate failed", ""});
    return std::unique_ptr<CUevent_st, destroy>(event);
  };
  const auto begin = make_event(), end = make_event();
  constexpr float refused = std::numeric_limits<float>::max();
  float least = refused;
  std::size_t best = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (!enqueue(i)) continue;
    float milliseconds = refused;
    for (int repeated = 0; repeated < 3; ++repeated) {
      float once = refused;
      cudaEventRecord(begin.get(), stream);
      const bool accepted = enqueue(i);
      cudaEventRecord(end.get(), stream);
      if (accepted && cudaEventSynchronize(end.get()) == cudaSuccess &&
          cudaEventElapsedTime(&once, begin.get(), end.get()) == cudaSuccess)
        milliseconds = std::min(milliseconds, once);
    }
    if (milliseconds < least) least = milliseconds, best = i;
  }
  if (least == refused)
    throw unavailable("an algorithm of the library that accepts this task",
                      "another shape or another version may have one");
  return best;
}

}  // namespace ridge::vendor
