// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <ridge/trace/interval_set.hpp>
#include <ridge/trace/trace.hpp>

// Why a device did nothing. A gap [a, b) is a longest range in which no work runs on the device; n is the
// work that ends it (the first in the order start, end), [ls, le) the API call that launched n.
namespace ridge::trace {

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
  off_cpu,             // host_late: the system ran the thread not: sleep, file, network, scheduling records
  other_api,           // host_late: any other API call, as a launch to another device
  framework,           // host_late: an operator of the framework, none of the above
  python,              // host_late: the interpreter alone
  unknown,             // host_late: nothing is open on that thread
  launch_api,          // launch_api
  launch_latency,      // latency
  event_wait,          // queued: n's stream waited for an event (synchronization records)
  graph_internal,      // queued: between two works of one graph launch
  pipeline,            // queued: anything else
  micro,               // micro: from kernel to kernel
  graph_micro,         // micro: the same, between two works of one graph launch
  no_launch,           // no_launch
};
inline constexpr int idle_cause_count = static_cast<int>(idle_cause::no_launch) + 1;

[[nodiscard]] std::string_view name(idle_part p);  // "host_late"
[[nodiscard]] std::string_view name(idle_cause c);
[[nodiscard]] idle_part part_of(idle_cause c);

// A piece of a gap. The pieces of a gap touch each other and cover it exactly.
struct idle_piece {
  time_range where{};
  idle_cause cause = idle_cause::unknown;
  event_id blamed = none;  // the host event that was open longest of that cause; the launch; the wait
};

struct idle_gap {
  time_range where{};             // cut to the report's window
  idle_part part = {};            // host_late for a gap with ls >= a, else no_launch, micro or queued
  work_id next = none;            // into trace::works; `none`: nothing follows in the trace
  event_id launch = none;         // of `next`
  std::uint32_t first_piece = 0;  // idle_report::pieces[first_piece .. first_piece + pieces)
  std::uint32_t pieces = 0;
};

struct idle_sum {
  nanoseconds ns = 0;
  std::uint64_t count = 0;  // of pieces, for causes; of gaps of that kind, for parts
};

struct idle_options {
  nanoseconds micro_below_ns = 2000;
  std::size_t largest = 20;
};

struct idle_report {
  std::int32_t device = 0;
  time_range window{};
  nanoseconds idle_ns = 0;  // the sum of the gaps, of the causes and of the parts
  std::array<idle_sum, idle_cause_count> causes{};
  std::array<idle_sum, idle_part_count> parts{};
  std::vector<idle_gap> gaps{};  // ordered by time
  std::vector<idle_piece> pieces{};
  std::vector<std::uint32_t> largest{};  // into gaps, longest first

  [[nodiscard]] const idle_sum& of(idle_cause c) const { return causes[static_cast<std::size_t>(c)]; }
  [[nodiscard]] const idle_sum& of(idle_part p) const { return parts[static_cast<std::size_t>(p)]; }
};

// The idle time of a device in the window (default: its first start to its last end, as device_partition).
// A gap at the window's edge is judged whole and then cut. What stands before the first work is host-late; so
// is what follows the last one, told by the main thread (the thread that launches most).
[[nodiscard]] idle_report idle_of(const trace& t, std::int32_t device, std::optional<time_range> window = {},
                                  const idle_options& options = {});

// The part of a report within a window: for the steps of one report. The window lies within the report's.
[[nodiscard]] idle_report idle_within(const idle_report& whole, time_range window,
                                      const idle_options& options = {});

}  // namespace ridge::trace
