// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace ridge::trace {

// A gap [a, b) is a longest range in which no work runs on the device; n is the work that ends it, [ls, le)
// the API call that launched n: the terms in which parts and causes are defined.

// Coarse parts. A gap below idle_options::micro_below_ns is micro; else one whose launch is not in the trace
// is no_launch; else one with ls >= a is host_late with launch_api and latency; else queued.
enum class idle_part : std::uint8_t {
  host_late,   // [a, min(ls, b))
  launch_api,  // of gaps that are host_late or queued: [max(a, ls), min(le, b))
  latency,     // of gaps that are host_late: [min(le, b), b)
  queued,      // what launch_api leaves of the gap
  micro,       // the whole gap
  no_launch,   // the whole gap
};
inline constexpr int idle_part_count = static_cast<int>(idle_part::no_launch) + 1;

// Fine causes; each belongs to one part. Of what is open on the launching thread at a time, the first in this
// order is the cause.
enum class idle_cause : std::uint8_t {
  code_loading,        // host_late: module load, lazy load, JIT, graph instantiation
  profiler,            // host_late: the profiler's own work (overhead records)
  garbage_collection,  // host_late: the interpreter's
  allocation,          // host_late: device or pinned memory allocated or freed
  copy_call,           // host_late: in a memcpy or memset call
  synchronization,     // host_late: in a call that waits for the device
  data_loading,        // host_late: the loader's next batch
  lock,                // host_late: a lock or condition variable
  off_cpu,         // host_late: the system did not run the thread: sleep, file, network, scheduling records
  other_api,       // host_late: any other API call, as a launch to another device
  framework,       // host_late: an operator of the framework, none of the above
  python,          // host_late: the interpreter alone
  unknown,         // host_late: nothing is open on that thread
  launch_api,      // launch_api
  launch_latency,  // latency
  event_wait,      // queued: n's stream waited for an event (synchronization records)
  graph_internal,  // queued: between two works of one graph launch
  pipeline,        // queued: anything else
  micro,           // micro: from kernel to kernel
  graph_micro,     // micro: the same, between two works of one graph launch
  no_launch,       // no_launch
};
inline constexpr int idle_cause_count = static_cast<int>(idle_cause::no_launch) + 1;

[[nodiscard]] std::string_view name(idle_part p);  // "host_late"
// Returns the cause's name, as reports print it.
[[nodiscard]] std::string_view name(idle_cause c);
// Returns the part that a cause belongs to.
[[nodiscard]] idle_part part_of(idle_cause c);

}  // namespace ridge::trace
