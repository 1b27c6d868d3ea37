// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace ridge::trace {

// What a stretch of the critical path was spent on.
enum class path_class : std::uint8_t {
  op,               // host work, innermost in a framework's operator
  python,           // host work, innermost in a frame of the interpreter
  annotation,       // host work, innermost in a named range
  data_loading,     // host work below a range or frame that names a data loader
  host_idle,        // a thread between events: nothing recorded
  api_call,         // a call of the runtime, driver or system, or the profiler's own overhead
  synchronization,  // the rest of a blocking call after the device work that it waited for
  launch_delay,  // from the launch call to its work while the stream is empty, up to 1 ms; longer delays are
                 // unknown
  compute,
  communication,
  copy,
  fill,
  stream_gap,   // from the end of a stream's work to its next work, which is launched already
  stream_wait,  // from the end of another stream's work to the work that waited for it
  unknown,      // nothing that the trace shows led to what follows
};
inline constexpr int path_class_count = static_cast<int>(path_class::unknown) + 1;

// Returns the class's name, as reports print it.
[[nodiscard]] std::string_view name(path_class c);

// Why a segment begins when it does: the edge from the segment before it.
enum class path_edge : std::uint8_t {
  window_start,
  program_order,   // the same thread
  launch,          // launch call -> work; a graph launch -> each of its kernels
  stream_order,    // the same stream
  stream_wait,     // event record -> stream wait event, from synchronization records
  inferred_wait,   // no record says so: the work began just after work of another stream ended
  device_to_host,  // device work -> the blocking call that waited for it
  thread_start,    // work of one thread -> the thread that works while the first one waits
  thread_end,      // the working thread -> the thread that waited for it
  other_rank,      // the rank that came last to a collective -> a rank that waited in it
};

// Returns the edge's name, as reports print it.
[[nodiscard]] std::string_view name(path_edge e);

// What bounds the window: the largest of these sums along the path.
enum class path_bound : std::uint8_t {
  host,           // op, python, annotation, host_idle, api_call
  data_loading,   // data_loading
  compute,        // compute, fill
  communication,  // communication
  copies,         // copy
  launch,         // launch_delay
  stream_gaps,    // stream_gap, stream_wait
  waiting,        // synchronization
  unknown
};
inline constexpr int path_bound_count = static_cast<int>(path_bound::unknown) + 1;

// Returns the bound's name, as reports print it.
[[nodiscard]] std::string_view name(path_bound b);

}  // namespace ridge::trace
