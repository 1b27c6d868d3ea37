// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace ridge::trace {

// The kind of an event, independent of what its file format calls it.
enum class category : std::uint8_t {
  kernel,             // device work
  copy,               // device work: a memcpy
  fill,               // device work: a memset
  api,                // a call of the CUDA or HIP runtime or driver
  op,                 // a framework's operator (Kineto cpu_op)
  annotation,         // a range that the user named: NVTX, record_function, ProfilerStep#N
  device_annotation,  // the mirror of an annotation over the device's work
  python,             // a frame of the interpreter
  synchronization,    // what a thread or stream waited for (Kineto cuda_sync, CUPTI SYNCHRONIZATION)
  device_event,       // an event recorded in a stream (Kineto cuda_event)
  overhead,           // the profiler's own work
  os_call,            // a call into the operating system (nsys OSRT)
  counter_range,      // a range in which counters were collected (Kineto cuda_profiler_range)
  sample,             // one sample of a processor's stack
  mark,               // an instant that someone marked
  other,
};
inline constexpr int category_count = static_cast<int>(category::other) + 1;

// Returns the enumerator's name, as reports print it.
[[nodiscard]] std::string_view name(category c);

// Returns whether `c` is a kernel, a copy or a fill.
[[nodiscard]] constexpr bool is_device_work(category c) { return c <= category::fill; }

}  // namespace ridge::trace
