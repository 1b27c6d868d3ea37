// SPDX-License-Identifier: Apache-2.0
#include "pftrace.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/trace/whole_content.hpp>

#include "reading.hpp"

namespace ridge::backends::trace_pftrace {
namespace {

using trace::wire_field;
using trace::wire_type;

// Descriptors and snapshots hold for the whole trace, and may stand behind events that need them.
void read_descriptions(pftrace_reading& in, std::string_view content) {
  each_packet(content, nullptr, [&](const packet& p) {
    if (!p.track_descriptor.empty()) in.known_tracks.add(p.track_descriptor);
    if (!p.process_descriptor.empty()) in.known_tracks.add_process(p.process_descriptor);
    if (!p.clock_snapshot.empty()) in.known_clocks.add_snapshot(p.clock_snapshot, p.sequence);
  });
}

void read_track_defaults(sequence_state& sequence, std::string_view message) {
  sequence.counter_tracks.clear();
  sequence.real_counter_tracks.clear();
  trace::wire_message fields(message);
  for (wire_field f; fields.next(f);) {
    if (f.type != wire_type::varint) continue;
    if (f.number == 11) sequence.default_track = f.value;
    if (f.number == 31) sequence.counter_tracks.push_back(f.value);
    if (f.number == 45) sequence.real_counter_tracks.push_back(f.value);
  }
}

void read_defaults(sequence_state& sequence, std::string_view message) {
  sequence.default_clock.reset();
  trace::wire_message fields(message);
  for (wire_field f; fields.next(f);) {
    if (f.number == 58) sequence.default_clock = static_cast<std::uint32_t>(f.value);
    if (f.number == 11 && f.type == wire_type::bytes) read_track_defaults(sequence, f.bytes);
  }
}

// Returns the state of a packet's sequence as it is with this packet.
sequence_state& sequence_with(pftrace_reading& in, const packet& p) {
  auto& sequence = in.sequences[p.sequence];
  if (p.lost_before && sequence.seen) {
    in.note(trace::flaw::dropped_records, p.offset, "packets of a sequence were lost");
    sequence.valid = false;
  }
  sequence.seen = true;
  if (p.cleared) {
    sequence.names.clear();
    sequence.default_clock.reset();
    sequence.valid = true;
  }
  if (!p.interned.empty()) sequence.names.add(p.interned);
  if (!p.defaults.empty()) read_defaults(sequence, p.defaults);
  if (!p.thread_descriptor.empty()) sequence.default_track = in.known_tracks.add_thread(p.thread_descriptor);
  if (!p.clock_snapshot.empty()) in.known_clocks.restart(p.clock_snapshot, p.sequence);
  return sequence;
}

// A GpuInfo message: GPUs in their order, with the name in field 1.
void read_gpus(pftrace_reading& in, std::string_view message) {
  auto& devices = in.builder.facts().devices;
  trace::wire_message fields(message);
  for (wire_field f; fields.next(f);) {
    if (f.number != 1 || f.type != wire_type::bytes) continue;
    trace::device_facts facts{.id = static_cast<std::int32_t>(devices.size())};
    trace::wire_message gpu(f.bytes);
    for (wire_field g; gpu.next(g);) {
      if (g.number == 1 && g.type == wire_type::bytes) facts.name = g.bytes;
    }
    devices.push_back(facts);
  }
}

void read_events(pftrace_reading& in, const packet& p) {
  auto& sequence = sequence_with(in, p);
  if (!p.gpu_info.empty()) read_gpus(in, p.gpu_info);
  if (p.track_event.empty() && p.render_stage.empty() && p.gpu_counters.empty()) return;
  if (p.needs_interned && !sequence.valid)
    return in.note(trace::flaw::dropped_records, p.offset, "an event whose names were lost");
  const auto clock = p.clock.value_or(sequence.default_clock.value_or(boottime_clock));
  const auto time = p.timestamp ? in.known_clocks.trace_time(*p.timestamp, clock, p.sequence) : std::nullopt;
  if (!time)
    return in.note(trace::flaw::unreadable_event, p.offset,
                   fmt::format("an event without a time that clock {} can tell", clock));
  if (!p.track_event.empty()) read_track_event(in, p, sequence, *time);
  if (!p.render_stage.empty()) read_render_stage(in, p, sequence, *time);
  if (!p.gpu_counters.empty()) read_gpu_counters(in, p.gpu_counters, *time);
}

// What is held until the end, besides the builder's.
std::uint64_t held_bytes(const pftrace_reading& in) {
  constexpr std::uint64_t halves = 64;
  return in.open.size() * (sizeof(open_slice) + halves) + in.works.size() * sizeof(trace::device_work) +
         in.ops.size() * sizeof(trace::op_detail) + in.stages.size() * sizeof(render_stage);
}

void read_trace(pftrace_reading& in, std::string_view content, const trace::read_limits& limits) {
  read_descriptions(in, content);
  std::uint64_t packets = 0;
  bool full = false;
  constexpr std::uint64_t checked_every = 4096;
  each_packet(content, &in.builder.facts().quality, [&](const packet& p) {
    if (full) return;
    if (packets++ % checked_every == 0 &&
        content.size() + in.builder.memory_bytes() + 2 * held_bytes(in) > limits.memory_bytes) {
      full = true;
      return in.note(trace::flaw::over_limit, p.offset,
                     "its last packets would need more memory than allowed");
    }
    read_events(in, p);
  });
  finish_slices(in);
  in.known_tracks.name_processes();
  in.builder.facts().epoch_ns = in.known_clocks.epoch();
  in.builder.facts().source.producer = "Perfetto";
}

bool is_printable(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

// Whether a message is a packet by its first field. A plane of XLA begins with its name, where a packet has
// processes.
bool begins_a_packet(std::string_view message) {
  trace::wire_message fields(message);
  wire_field f;
  if (!fields.next(f) && !fields.take_cut(f)) return false;
  const bool number = f.number == 3 || f.number == 8 || f.number == 10 || f.number == 13 || f.number == 41 ||
                      f.number == 42 || f.number == 58 || f.number == 79 || f.number == 87 || f.number == 98;
  if (f.number == 2 && is_printable(f.bytes)) return false;
  return number ? f.type == wire_type::varint : f.type == wire_type::bytes && f.number < 1000;
}

class importer final : public trace::importer {
 public:
  std::string_view format() const override { return "pftrace"; }
  // A text may begin with a line feed, too; one that holds no control character is none of ours.
  bool recognises(std::string_view head) const override {
    if (head.size() < 4 ||
        std::ranges::none_of(head.substr(0, 256), [](char c) { return c >= '\0' && c < '\t'; }))
      return false;
    trace::wire_message fields(head);
    wire_field f;
    const bool whole = fields.next(f);
    if ((!whole && !fields.take_cut(f)) || f.number != 1 || f.type != wire_type::bytes) return false;
    const auto behind = static_cast<std::size_t>(fields.position());
    return begins_a_packet(f.bytes) && (!whole || behind == head.size() || head[behind] == '\x0a');
  }

  result<trace::trace> read(trace::byte_source& source, trace::origin origin,
                            const trace::read_limits& limits) const override {
    const auto content = trace::whole_content(source, limits.memory_bytes);
    if (!content)
      return error{fmt::format("{}: this trace of Perfetto needs more memory than {} bytes", origin.path,
                               limits.memory_bytes),
                   "raise --max-memory, or profile a shorter time"};
    pftrace_reading in;
    const auto path = origin.path;
    in.builder.facts().source = std::move(origin);
    read_trace(in, content->view(), limits);
    auto made = std::move(in.builder).finish();
    if (made.events.size() == 0 && made.counter_values.empty() && made.quality.truncated())
      return error{path + ": this trace of Perfetto is damaged before its first event",
                   "copy it, or profile, again"};
    return made;
  }
};

}  // namespace

const trace::importer& pftrace() {
  static const importer the_one;
  return the_one;
}

}  // namespace ridge::backends::trace_pftrace
