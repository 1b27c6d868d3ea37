// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/measure/gpu_trace.hpp>

#include "audit/call_window.hpp"

namespace ridge::harness::tests {

// The trace of one call on stream 7 of GPU 0: a held queue, the first mark at 100 us, two kernels and a
// copy, and the last mark at 200 us; the host enqueued all of it in the microseconds before.
inline measure::gpu_trace traced_call() {
  using kind = measure::gpu_activity_kind;
  constexpr double us = 1e-6;
  const auto mark = [&](std::size_t bytes, double start_s, std::uint32_t call) {
    return measure::gpu_activity{.kind = kind::set,
                                 .name = "set",
                                 .start_s = start_s * us,
                                 .end_s = (start_s + 1) * us,
                                 .stream = 7,
                                 .bytes = static_cast<double>(bytes),
                                 .call = call};
  };
  const auto work = [&](kind type, const char* name, double start_s, double end_s) {
    return measure::gpu_activity{.kind = type,
                                 .name = name,
                                 .start_s = start_s * us,
                                 .end_s = end_s * us,
                                 .stream = 7,
                                 .grid = {4, 1, 1}};
  };
  const auto call = [&](const char* name, double start_s, std::uint32_t id) {
    return measure::gpu_api_call{
        .name = name, .start_s = start_s * us, .end_s = (start_s + 1) * us, .thread = 1, .id = id};
  };
  return {
      .activities = {work(kind::kernel, "stop", 10, 99), mark(begin_mark_bytes, 100, 1),
                     work(kind::kernel, "scale", 110, 140), work(kind::kernel, "scale", 145, 165),
                     work(kind::copy, "copy to host", 170, 180), mark(end_mark_bytes, 200, 5)},
      .calls = {call("cudaMalloc", 1, 90), call("cudaMemsetAsync", 10, 1), call("cudaLaunchKernel", 12, 2),
                call("cudaLaunchKernel", 14, 3), call("cudaMemcpyAsync", 16, 4),
                call("cudaMemsetAsync", 18, 5), call("cudaStreamSynchronize", 20, 91)}};
}

}  // namespace ridge::harness::tests
