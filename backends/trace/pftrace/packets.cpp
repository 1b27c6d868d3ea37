// SPDX-License-Identifier: Apache-2.0
#include "packets.hpp"

namespace ridge::backends::trace_pftrace {
namespace {

using trace::wire_field;
using trace::wire_type;

std::string_view* message_of(packet& p, std::uint32_t field) {
  switch (field) {
    case 6:
      return &p.clock_snapshot;
    case 11:
      return &p.track_event;
    case 12:
      return &p.interned;
    case 43:
      return &p.process_descriptor;
    case 44:
      return &p.thread_descriptor;
    case 50:
      return &p.compressed;
    case 52:
      return &p.gpu_counters;
    case 53:
      return &p.render_stage;
    case 59:
      return &p.defaults;
    case 60:
      return &p.track_descriptor;
    case 128:
      return &p.gpu_info;
    default:
      return nullptr;
  }
}

void read_number(packet& p, const wire_field& f) {
  constexpr std::uint64_t flag_cleared = 1, flag_needs = 2;
  if (f.number == 8) p.timestamp = f.value;
  if (f.number == 58) p.clock = static_cast<std::uint32_t>(f.value);
  if (f.number == 10) p.sequence = static_cast<std::uint32_t>(f.value);
  if (f.number == 42) p.lost_before = f.value != 0;
  if (f.number == 41) p.cleared = p.cleared || f.value != 0;
  if (f.number != 13) return;
  p.cleared = p.cleared || (f.value & flag_cleared) != 0;
  p.needs_interned = (f.value & flag_needs) != 0;
}

}  // namespace

packet read_packet(std::string_view message) {
  packet p;
  trace::wire_message fields(message);
  for (wire_field f; fields.next(f);) {
    if (f.type == wire_type::varint) {
      read_number(p, f);
    } else if (f.type == wire_type::bytes) {
      if (auto* const part = message_of(p, f.number)) *part = f.bytes;
    }
  }
  return p;
}

}  // namespace ridge::backends::trace_pftrace
