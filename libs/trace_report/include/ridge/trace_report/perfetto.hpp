// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/trace/clock_alignment.hpp>
#include <ridge/trace/communication_names.hpp>
#include <ridge/trace/trace.hpp>

namespace ridge::trace_report {

// A finding or a stretch of the critical path, shown as a range on a track of its own.
struct marker {
  trace::nanoseconds start_ns = 0;
  trace::nanoseconds end_ns = 0;
  std::string name{};
  std::string text{};  // shown when it is clicked
};

// One trace with its clock mapped to the common one.
struct placed_trace {
  const trace::trace* source = nullptr;
  trace::clock_map clock{};  // to the common clock
  std::string label{};       // prefix of its processes' names: "rank 3"; may be empty
  // Stretches of its critical path, on the common clock: a track of its own.
  std::vector<marker> critical_path{};
};

// Numbers of what was written.
struct perfetto_counts {
  std::uint64_t events = 0;    // complete events, ranges and instants
  std::uint64_t original = 0;  // events of any phase that were written as the bytes of their file
  // events on an overflow lane, because they overlap another event of their track without nesting in it
  std::uint64_t moved = 0;
  std::uint64_t values = 0;  // values of counters
  std::uint64_t arrows = 0;
  std::uint64_t memory = 0;  // allocations and releases, apart from those written as bytes
};

// Writes Chrome JSON that ui.perfetto.dev and chrome://tracing open to `out`, piece by piece. Nothing is
// dropped. Events of a trace in Chrome JSON are the bytes of its file, read once more: arguments, counters,
// arrows, asynchronous and memory events, numbers and names of processes stay as they are, and so do the
// other members of the root. Of other formats all that the trace holds is written. Events that overlap on a
// track without nesting, which Perfetto would leave out, get a lane of their own. Throws io_failure where a
// file cannot be read.
perfetto_counts write_perfetto(std::span<const placed_trace> traces, std::span<const marker> findings,
                               const std::function<void(std::string_view)>& out);

// Returns the critical path of a trace as ranges on the common clock of `clock`.
[[nodiscard]] std::vector<marker> critical_path_markers(const trace::trace& t,
                                                        const trace::communication_names& names,
                                                        const trace::clock_map& clock = {});

}  // namespace ridge::trace_report
