// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <limits>

#include "reading.hpp"

namespace ridge::backends::trace_pftrace {
namespace {

using trace::wire_field;
using trace::wire_type;

using extents = std::array<std::uint32_t, 3>;

// A GpuRenderStageEvent message.
struct stage_event {
  std::uint64_t id = 0, duration = 0, queue = 0, stage = 0, context = 0;
  std::optional<std::uint64_t> logical_queue{};
  std::int32_t device = 0;
  std::string_view name{}, kernel{};
  extents grid{}, block{};
  event_arguments arguments{};
};

extents read_extents(std::string_view message) {
  extents sides{1, 1, 1};
  trace::wire_message fields(message);
  for (wire_field f; fields.next(f);) {
    if (f.number >= 1 && f.number <= 3 && f.type == wire_type::varint)
      sides[f.number - 1] = static_cast<std::uint32_t>(f.value);
  }
  return sides;
}

void read_launch(stage_event& e, std::string_view message, const interned_data& names) {
  trace::wire_message fields(message);
  for (wire_field f; fields.next(f);) {
    if (f.type != wire_type::bytes) continue;
    if (f.number == 1) e.grid = read_extents(f.bytes);
    if (f.number == 2) e.block = read_extents(f.bytes);
    if (f.number == 3) read_compute_argument(e.arguments, f.bytes, names);
  }
}

void read_stage_number(stage_event& e, const wire_field& f, const interned_data& names) {
  if (f.number == 1) e.id = f.value;
  if (f.number == 2) e.duration = f.value;
  if (f.number == 3 || f.number == 13) e.queue = f.value;
  if (f.number == 4 || f.number == 14) e.stage = f.value;
  if (f.number == 5) e.context = f.value;
  if (f.number == 11) e.device = static_cast<std::int32_t>(f.value);
  if (f.number == 19) e.kernel = names.text(interned_kind::kernel, f.value);
  if (f.number == 20) e.name = names.text(interned_kind::event_name, f.value);
  if (f.number == 22) e.logical_queue = f.value;
}

stage_event read_stage(std::string_view message, const interned_data& names) {
  stage_event e;
  trace::wire_message fields(message);
  for (wire_field f; fields.next(f);) {
    if (f.type != wire_type::bytes) {
      read_stage_number(e, f, names);
      continue;
    }
    if (f.number == 6) read_extra_data(e.arguments, f.bytes);
    if (f.number == 17) e.name = f.bytes;
    if (f.number == 21) read_launch(e, f.bytes, names);
  }
  return e;
}

// The stream that an argument, a queue's name or number tells, in this order.
std::int32_t stream_of(const stage_event& e, const interned_data& names) {
  if (e.arguments.stream) return static_cast<std::int32_t>(*e.arguments.stream);
  if (e.logical_queue) return static_cast<std::int32_t>(*e.logical_queue);
  const auto told = last_number(names.text(interned_kind::stage, e.queue));
  return static_cast<std::int32_t>(told.value_or(static_cast<std::int64_t>(e.queue)));
}

// A name, else the kernel's, else the stage's.
std::string_view name_of(const stage_event& e, const interned_data& names) {
  if (!e.name.empty()) return e.name;
  if (!e.kernel.empty()) return e.kernel;
  const auto stage = names.text(interned_kind::stage, e.stage);
  return stage.empty() ? std::string_view("kernel") : stage;
}

}  // namespace

void read_render_stage(pftrace_reading& reading, const packet& p, const sequence_state& sequence,
                       trace::nanoseconds time) {
  const auto e = read_stage(p.render_stage, sequence.names);
  if (e.duration >= static_cast<std::uint64_t>(trace::most_nanoseconds) ||
      !trace::is_a_time(time + static_cast<trace::nanoseconds>(e.duration)))
    return reading.note(trace::flaw::unreadable_event, p.offset, "a render stage that ends beyond all time");
  const auto name = name_of(e, sequence.names);
  const auto stage = sequence.names.text(interned_kind::stage, e.stage);
  const auto kind = kind_of_stage(stage.empty() ? name : stage);
  render_stage s{.work = work_with(reading.builder, e.arguments, kind, name), .id = e.id};
  s.work.device = static_cast<std::int32_t>(e.arguments.device.value_or(e.device));
  s.work.stream = stream_of(e, sequence.names);
  if (e.grid[0] != 0) s.work.grid = e.grid;
  if (e.block[0] != 0) s.work.block = e.block;
  if (s.work.context == 0) s.work.context = static_cast<std::uint32_t>(e.context);
  const auto* context = sequence.names.find(interned_kind::context, e.context);
  if (context != nullptr && context->process != 0) s.process = context->process;
  s.row = {.start_ns = time,
           .duration_ns = static_cast<trace::nanoseconds>(e.duration),
           .offset = p.offset,
           .name = reading.builder.intern(name),
           .correlation = id_in(e.arguments.correlation),
           .external = id_in(e.arguments.external),
           .kind = kind};
  reading.stages.push_back(s);
}

}  // namespace ridge::backends::trace_pftrace
