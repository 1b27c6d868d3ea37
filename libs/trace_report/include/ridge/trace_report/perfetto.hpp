// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/trace/clock_alignment.hpp>
#include <ridge/trace/trace.hpp>

namespace ridge::trace_report {

// One trace with its clock mapped to the common one.
struct placed_trace {
  const trace::trace* source = nullptr;
  trace::clock_map clock{};  // to the common clock
  std::string label{};       // prefix of its processes' names: "rank 3"; may be empty
};

// A finding, shown as a range on a track of its own.
struct marker {
  trace::nanoseconds start_ns = 0;
  trace::nanoseconds end_ns = 0;
  std::string name{};
  std::string text{};  // shown when it is clicked
};

// Numbers of what was written.
struct perfetto_counts {
  std::uint64_t events = 0;  // complete events and instants written, one for each of the traces' events
  // events on an overflow lane, because they overlap another event of their track without nesting in it
  std::uint64_t moved = 0;
  std::uint64_t values = 0;  // values of counters
  std::uint64_t arrows = 0;  // from launches to their work, and from forward to backward
};

// Writes Chrome JSON that ui.perfetto.dev and chrome://tracing open to `out`, piece by piece. Nothing is
// dropped: events that overlap on a track without nesting, which Perfetto would leave out, get a lane of
// their own.
perfetto_counts write_perfetto(std::span<const placed_trace> traces, std::span<const marker> findings,
                               const std::function<void(std::string_view)>& out);

}  // namespace ridge::trace_report
