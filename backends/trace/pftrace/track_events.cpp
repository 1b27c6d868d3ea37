// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "reading.hpp"

namespace ridge::backends::trace_pftrace {
namespace {

using trace::category;
using trace::wire_field;
using trace::wire_type;

enum class event_type : std::uint8_t { unknown, begin, end, instant, counter };

// A TrackEvent message; its arguments are read where they are wanted.
struct track_event {
  event_type type = event_type::unknown;
  std::optional<std::uint64_t> track{};
  std::string_view category_name{}, name{};
  std::optional<double> value{};
  std::optional<std::int64_t> correlation{};
  std::int64_t duration_us = -1;  // of a complete event of older writers
  std::vector<std::uint64_t> flow_ids{}, last_flow_ids{}, submitted{};
  std::vector<std::uint64_t> counter_tracks{}, real_counter_tracks{};
  std::vector<std::int64_t> counter_values{};
  std::vector<double> real_counter_values{};
  event_arguments arguments{};
};

// A repeated number stands alone or, packed, in a message.
void add_numbers(std::vector<std::uint64_t>& numbers, const wire_field& f) {
  if (f.type != wire_type::bytes) return numbers.push_back(f.value);
  trace::wire_message packed(f.bytes);
  for (std::uint64_t n = 0; packed.read_varint(n);) numbers.push_back(n);
}

void read_legacy(track_event& e, std::string_view message) {
  trace::wire_message fields(message);
  for (wire_field f; fields.next(f);) {
    if (f.number == 3 && f.type == wire_type::varint) e.duration_us = f.whole();
    if (f.number != 2 || e.type != event_type::unknown) continue;
    if (f.value == 'B' || f.value == 'X') e.type = event_type::begin;
    if (f.value == 'E') e.type = event_type::end;
    if (f.value == 'I' || f.value == 'i') e.type = event_type::instant;
  }
}

void read_submitted(track_event& e, std::string_view message) {
  trace::wire_message fields(message);
  for (wire_field f; fields.next(f);) {
    if (f.number == 1) add_numbers(e.submitted, f);
  }
}

void read_bytes(track_event& e, const wire_field& f, const interned_data& names) {
  if (f.number == 4) read_annotation(e.arguments, f.bytes, names);
  if (f.number == 6) read_legacy(e, f.bytes);
  if (f.number == 22) e.category_name = f.bytes;
  if (f.number == 23) e.name = f.bytes;
  if (f.number == 3000) read_submitted(e, f.bytes);
}

void read_number(track_event& e, const wire_field& f, const interned_data& names) {
  if (f.number == 9) e.type = f.value <= 4 ? static_cast<event_type>(f.value) : event_type::unknown;
  if (f.number == 11) e.track = f.value;
  if (f.number == 3) e.category_name = names.text(interned_kind::category, f.value);
  if (f.number == 10) e.name = names.text(interned_kind::event_name, f.value);
  if (f.number == 30) e.value = static_cast<double>(f.whole());
  if (f.number == 44) e.value = f.real();
  if (f.number == 46) e.real_counter_values.push_back(f.real());
  if (f.number == 52) e.correlation = f.whole();
}

track_event read_event(std::string_view message, const interned_data& names) {
  track_event e;
  trace::wire_message fields(message);
  for (wire_field f; fields.next(f);) {
    if (f.type == wire_type::bytes)
      read_bytes(e, f, names);
    else
      read_number(e, f, names);
    if (f.number == 47 || f.number == 36) add_numbers(e.flow_ids, f);
    if (f.number == 48 || f.number == 42) add_numbers(e.last_flow_ids, f);
    if (f.number == 31) add_numbers(e.counter_tracks, f);
    if (f.number == 45) add_numbers(e.real_counter_tracks, f);
    if (f.number == 12 && f.type == wire_type::varint) e.counter_values.push_back(f.whole());
  }
  if (!e.arguments.correlation) e.arguments.correlation = e.correlation;
  return e;
}

void add_counter(pftrace_reading& reading, std::uint64_t uuid, double value, trace::nanoseconds time) {
  const auto& info = reading.known_tracks.info(uuid);
  if (info.counts_on) value = reading.counters[uuid] += value;
  const auto name =
      reading.builder.intern(info.name.empty() ? std::string_view("counter") : std::string_view(info.name));
  const auto track = info.parent == 0 ? trace::none : reading.known_tracks.host_track(info.parent);
  const auto series = reading.builder.series(name, -1, track);
  reading.builder.add(trace::counter_value{
      .time_ns = time, .value = value * static_cast<double>(info.unit), .series = series});
}

void add_counters(pftrace_reading& reading, const track_event& e, const sequence_state& sequence,
                  std::uint64_t uuid, trace::nanoseconds time) {
  if (e.type == event_type::counter && e.value) add_counter(reading, uuid, *e.value, time);
  const auto& whole = e.counter_tracks.empty() ? sequence.counter_tracks : e.counter_tracks;
  for (std::size_t i = 0; i < std::min(whole.size(), e.counter_values.size()); ++i)
    add_counter(reading, whole[i], static_cast<double>(e.counter_values[i]), time);
  const auto& real = e.real_counter_tracks.empty() ? sequence.real_counter_tracks : e.real_counter_tracks;
  for (std::size_t i = 0; i < std::min(real.size(), e.real_counter_values.size()); ++i)
    add_counter(reading, real[i], e.real_counter_values[i], time);
}

// Which device and stream ran work: what its arguments say, else what rocprofv3 named its track.
void place_work(pftrace_reading& reading, const track_event& e, std::uint64_t uuid,
                trace::device_work& work) {
  const auto& name = reading.known_tracks.info(uuid).name;
  auto device = e.arguments.device, stream = e.arguments.stream;
  if (!device) device = bracketed(name, "AGENT");
  if (!device) device = bracketed(name, "GPU");
  if (name.find("(CPU)") != std::string::npos) device = last_number(e.arguments.source_agent);
  if (!stream) stream = bracketed(name, "STREAM");
  if (!stream) stream = bracketed(name, "QUEUE");
  if (!stream) stream = e.arguments.queue;
  work.device = static_cast<std::int32_t>(device.value_or(0));
  work.stream = static_cast<std::int32_t>(stream.value_or(-1));
  work.process = trace::none;
}

trace::op_detail op_of(trace::trace_builder& builder, const event_arguments& a) {
  return {.sequence = a.sequence.value_or(-1),
          .forward_thread = a.forward_thread.value_or(-1),
          .input_dims = builder.intern(a.dims),
          .input_types = builder.intern(a.types),
          .input_strides = builder.intern(a.strides),
          .concrete_inputs = builder.intern(a.concrete)};
}

// The track that an event of a kind stands on.
trace::track_id track_for(pftrace_reading& reading, category kind, std::uint64_t uuid,
                          const trace::device_work* work) {
  const auto process = reading.builder.process(reading.known_tracks.process_of(uuid));
  if (work != nullptr)
    return reading.builder.track_of(trace::track_kind::stream, process, work->stream, work->device);
  const auto& info = reading.known_tracks.info(uuid);
  if (kind == category::python && info.thread)
    return reading.builder.track_of(trace::track_kind::python, process, *info.thread);
  return reading.known_tracks.host_track(uuid);
}

open_slice slice_of(pftrace_reading& reading, const track_event& e, const packet& p, std::uint64_t uuid) {
  open_slice s;
  const auto kind = kind_of_event(e.category_name, e.name, e.arguments);
  if (trace::is_device_work(kind)) {
    s.work = static_cast<std::uint32_t>(reading.works.size());
    place_work(reading, e, uuid,
               reading.works.emplace_back(work_with(reading.builder, e.arguments, kind, e.name)));
  } else if (kind == category::op) {
    s.op = static_cast<std::uint32_t>(reading.ops.size());
    reading.ops.push_back(op_of(reading.builder, e.arguments));
  }
  const bool linked = trace::is_device_work(kind) || kind == category::api;
  s.row = {.offset = p.offset,
           .name = reading.builder.intern(e.name),
           .track = track_for(reading, kind, uuid, s.work == trace::none ? nullptr : &reading.works[s.work]),
           .correlation = linked ? id_in(e.arguments.correlation) : 0,
           .external = id_in(e.arguments.external),
           .kind = kind};
  return s;
}

void add_arrows(pftrace_reading& reading, const track_event& e, const open_slice& s, std::uint32_t slice,
                trace::nanoseconds time) {
  flow_point point{.time = time, .track = s.row.track, .slice = slice, .kind = s.row.kind};
  for (const auto id : e.flow_ids) reading.arrows.add((point.id = id, point));
  point.last = true;
  for (const auto id : e.last_flow_ids) reading.arrows.add((point.id = id, point));
}

void begin_slice(pftrace_reading& reading, const track_event& e, const packet& p, std::uint64_t uuid,
                 trace::nanoseconds time) {
  const auto index = static_cast<std::uint32_t>(reading.open.size());
  auto s = slice_of(reading, e, p, uuid);
  if (!e.submitted.empty() && s.work == trace::none) {
    s.row.kind = category::api;
    s.op = trace::none;
    if (s.row.correlation == 0) s.row.correlation = reading.number_for(~std::uint64_t{index});
    for (const auto id : e.submitted)
      reading.submitted.insert_or_assign(
          id, std::pair(s.row.correlation, reading.builder.facts().tracks[s.row.track].process));
  }
  add_arrows(reading, e, s, index, time);
  reading.open.push_back(s);
  reading.halves.begin(uuid, time, index);
  constexpr std::int64_t most_us = trace::most_nanoseconds / 2000;
  if (e.duration_us < 0) return;
  const auto end = time + std::min(e.duration_us, most_us) * 1000;
  if (trace::is_a_time(end)) reading.halves.end(uuid, end);
}

void add_instant(pftrace_reading& reading, const track_event& e, const packet& p, std::uint64_t uuid,
                 trace::nanoseconds time) {
  reading.builder.add({.start_ns = time,
                       .offset = p.offset,
                       .name = reading.builder.intern(e.name),
                       .track = reading.known_tracks.host_track(uuid),
                       .kind = category::mark,
                       .flags = trace::flag_instant});
}

}  // namespace

void read_track_event(pftrace_reading& reading, const packet& p, const sequence_state& sequence,
                      trace::nanoseconds time) {
  const auto e = read_event(p.track_event, sequence.names);
  const auto uuid = e.track.value_or(sequence.default_track);
  add_counters(reading, e, sequence, uuid, time);
  if (e.type == event_type::begin) begin_slice(reading, e, p, uuid, time);
  if (e.type == event_type::end) reading.halves.end(uuid, time);
  if (e.type == event_type::instant) add_instant(reading, e, p, uuid, time);
}

}  // namespace ridge::backends::trace_pftrace
