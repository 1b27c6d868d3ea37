// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <ridge/measure/gpu_trace.hpp>

namespace ridge::harness {

// Memory sets of so many bytes on the queue mark where a call's work begins and ends; no variant is likely to
// set as many.
inline constexpr std::size_t begin_mark_bytes = 16336;  // 16 x 1021
inline constexpr std::size_t end_mark_bytes = 16496;    // 16 x 1031

// One traced call of a body, between its marks.
struct call_window {
  std::uint32_t queue = 0;                      // the tracer's number of the stream that the marks are on
  int device = 0;                               // the queue's GPU
  double begin_s = 0, end_s = 0;                // span between the marks on the GPU
  std::vector<measure::gpu_activity> work{};    // the body's kernels, copies and sets, wherever they ran
  std::vector<measure::gpu_activity> memory{};  // memory taken and released while the body ran on the host
  std::vector<measure::gpu_api_call> calls{};   // calls of the API by any thread during that time
};

// The traced call, or nothing where the trace lacks one of the marks. Work on the queue before the first mark
// is the harness's own.
[[nodiscard]] std::optional<call_window> window_of(const measure::gpu_trace& trace);

}  // namespace ridge::harness
