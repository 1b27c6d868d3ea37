// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <ridge/trace/byte_source.hpp>
#include <ridge/trace/trace_builder.hpp>

#include "clocks.hpp"
#include "event_kinds.hpp"
#include "flows.hpp"
#include "interned.hpp"
#include "packets.hpp"
#include "slices.hpp"
#include "tracks.hpp"

namespace ridge::backends::trace_pftrace {

// What one packet sequence said so far.
struct sequence_state {
  interned_data names{};
  std::optional<std::uint32_t> default_clock{};
  std::uint64_t default_track = 0;
  std::vector<std::uint64_t> counter_tracks{}, real_counter_tracks{};
  bool valid = false;  // nothing was lost since its numbers were cleared
  bool seen = false;
};

// A slice whose end is not known yet.
struct open_slice {
  trace::event_row row{};
  std::uint32_t work = trace::none;  // into pftrace_reading::works
  std::uint32_t op = trace::none;    // into pftrace_reading::ops
};

// A render stage: work of a device, with its own duration.
struct render_stage {
  trace::event_row row{};
  trace::device_work work{};
  std::uint64_t id = 0;
  std::optional<std::int64_t> process{};
};

// The state of reading one trace.
struct pftrace_reading {
  trace::trace_builder builder{};
  tracks known_tracks{builder};
  clocks known_clocks{};
  std::unordered_map<std::uint32_t, sequence_state> sequences{};
  slices halves{};
  flows arrows{};
  std::vector<open_slice> open{};
  std::vector<trace::device_work> works{};
  std::vector<trace::op_detail> ops{};
  std::vector<render_stage> stages{};
  // By the id of a render stage: the number and process of the call that submitted it.
  std::unordered_map<std::uint64_t, std::pair<std::uint32_t, std::uint32_t>> submitted{};
  std::unordered_map<std::uint64_t, double> counters{};  // last values of those that count on, by track
  std::map<std::pair<std::int32_t, std::int64_t>, std::string>
      counter_names{};                                         // of GPUs, by device and number
  std::unordered_map<std::uint64_t, std::uint32_t> numbers{};  // given to what has none of its own

  void note(trace::flaw kind, std::uint64_t offset, std::string_view text) {
    builder.facts().quality.add(kind, offset, text);
  }
  // Returns a correlation number for a flow or a call that tells none, above those that tracers count up.
  [[nodiscard]] std::uint32_t number_for(std::uint64_t id);
};

// Returns what a trace keeps of the arguments of work; nothing but device, stream and process is missing.
[[nodiscard]] trace::device_work work_with(trace::trace_builder& builder, const event_arguments& arguments,
                                           trace::category kind, std::string_view name);
// Returns a correlation or external id as a trace keeps it; 0 where there is none.
[[nodiscard]] std::uint32_t id_in(const std::optional<std::int64_t>& number);

// Each adds what one packet says; `time` is on the trace's clock.
void read_track_event(pftrace_reading& reading, const packet& p, const sequence_state& sequence,
                      trace::nanoseconds time);
void read_render_stage(pftrace_reading& reading, const packet& p, const sequence_state& sequence,
                       trace::nanoseconds time);
void read_gpu_counters(pftrace_reading& reading, std::string_view message, trace::nanoseconds time);
// Adds slices, arrows and render stages to the builder; at the end.
void finish_slices(pftrace_reading& reading);

}  // namespace ridge::backends::trace_pftrace
