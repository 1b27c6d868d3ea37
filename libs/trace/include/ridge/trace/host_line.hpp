// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include <ridge/trace/idle_cause.hpp>
#include <ridge/trace/interval_set.hpp>
#include <ridge/trace/synchronization.hpp>
#include <ridge/trace/trace.hpp>

namespace ridge::trace {

// What recording one event costs the host, in nanoseconds. The defaults were fitted to PyTorch programs whose
// steps were timed with and without its profiler (docs/design/trace/idle.md).
struct profiler_costs {
  nanoseconds frame_ns = 3'500;      // a frame of the interpreter, entered and left
  nanoseconds op_ns = 2'000;         // an operator
  nanoseconds shaped_op_ns = 2'000;  // an operator whose inputs' shapes are recorded
  nanoseconds call_ns = 300;         // a call of the driver or the runtime
};

// Work of a device as the host line launches it.
struct line_work {
  work_id work = none;
  nanoseconds duration_ns = 0;
  nanoseconds after_previous_ns = 0;  // distance from the work before it in the same launch; 0 for the first
  std::uint32_t stream = 0;           // index of the stream among those of the line
};

// A point of the host's order: it launches works, waits for one, or ends the line (neither).
struct line_point {
  nanoseconds at_ns = 0;    // start of the call
  nanoseconds free_ns = 0;  // host time since the point before, without waiting for the device
  nanoseconds cost_ns = 0;  // the part of free_ns that recording it took, estimated
  time_range before{};      // where free_ns lies
  track_id thread = none;
  std::uint32_t first_work = 0, works = 0;  // into host_line::works
  std::uint32_t waits_for = none;           // into host_line::works; `none`: no wait
  // What the host did in `before` where it was elsewhere: far longer than from launch to launch, and in no
  // call that launches; `micro` where it was not.
  idle_cause elsewhere = idle_cause::micro;
  event_id blamed = none;  // what it did there: the deepest frame or operator that holds most of the time
  name_id function = 0;    // the deepest function that most samples of the thread there are in; 0: not known

  // Whether the host was elsewhere before this point.
  [[nodiscard]] bool is_elsewhere() const { return elsewhere != idle_cause::micro; }
  // Whether it was elsewhere and not waiting for its input.
  [[nodiscard]] bool is_absence() const { return is_elsewhere() && elsewhere != idle_cause::data_loading; }
};

// The order in which the host launches the works of one device in a window, and where it waits for them.
struct host_line {
  std::vector<line_point> points{};  // ordered by time; the last one ends the window
  std::vector<line_work> works{};
  std::uint32_t streams = 0;
  nanoseconds latency_ns = 0;  // from a launch call to work on an empty device
  nanoseconds spacing_ns = 0;  // median host time from point to point, without the profiler's cost
};

// From when on the host counts as elsewhere.
struct host_line_options {
  profiler_costs costs{};
  // Of the host's time over all recording takes no more: a profiler with shapes and stacks made none of 105
  // programs over three times as slow (docs/design/trace/idle.md).
  double most_cost_share = 2.0 / 3;
  nanoseconds elsewhere_ns = 500'000;  // host time without a launch, without the profiler's cost
  double elsewhere_spacings = 10;      // and this many times the median from point to point
};

// Returns the line of a device. `waits` are those of the whole trace.
[[nodiscard]] host_line host_line_of(const trace& t, std::int32_t device, time_range window,
                                     std::span<const host_wait> waits, const host_line_options& options = {});

}  // namespace ridge::trace
