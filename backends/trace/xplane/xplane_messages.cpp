// SPDX-License-Identifier: Apache-2.0
#include "xplane_messages.hpp"

namespace ridge::backends::trace_xplane {
namespace {

using trace::wire_field;
using trace::wire_message;

// Calls `take` with every whole field. Returns whether the message ends with one.
template <class Take>
bool each_field(std::string_view message, Take take) {
  wire_message fields(message);
  for (wire_field f; fields.next(f);) take(f);
  return !fields.damaged();
}

// Calls `take` with key and value of a map's entry.
template <class Take>
void read_entry(std::string_view entry, Take take) {
  std::int64_t key = 0;
  std::string_view value;
  each_field(entry, [&](const wire_field& f) {
    if (f.number == 1) key = f.whole();
    if (f.number == 2) value = f.bytes;
  });
  take(key, value);
}

event_kind read_kind(std::string_view message) {
  event_kind kind;
  each_field(message, [&](const wire_field& f) {
    if (f.number == 2) kind.name = f.bytes;
    if (f.number == 4) kind.display_name = f.bytes;
    if (f.number == 5) kind.stats.push_back(f.bytes);
  });
  return kind;
}

std::string_view name_in(std::string_view message) {
  std::string_view name;
  each_field(message, [&](const wire_field& f) {
    if (f.number == 2) name = f.bytes;
  });
  return name;
}

}  // namespace

// The line that the end of the content cuts off counts as far as it goes.
plane read_plane(std::string_view message) {
  plane p;
  wire_message fields(message);
  wire_field f;
  while (fields.next(f)) {
    if (f.type != trace::wire_type::bytes) continue;
    if (f.number == 2) p.name = f.bytes;
    if (f.number == 3) p.lines.push_back(f.bytes);
    if (f.number == 4)
      read_entry(f.bytes, [&](auto id, auto value) { p.kinds.insert_or_assign(id, read_kind(value)); });
    if (f.number == 5)
      read_entry(f.bytes, [&](auto id, auto value) { p.stat_names.insert_or_assign(id, name_in(value)); });
    if (f.number == 6) p.stats.push_back(f.bytes);
  }
  p.damaged = fields.damaged();
  if (p.damaged && fields.take_cut(f) && f.number == 3) p.lines.push_back(f.bytes);
  return p;
}

line read_line(std::string_view message) {
  line l;
  std::string_view display_name;
  l.damaged = !each_field(message, [&](const wire_field& f) {
    if (f.number == 1) l.id = f.whole();
    if (f.number == 2) l.name = f.bytes;
    if (f.number == 3) l.start_ns = f.whole();
    if (f.number == 4) l.events.push_back(f.bytes);
    if (f.number == 11) display_name = f.bytes;
  });
  if (l.name.empty()) l.name = display_name;
  return l;
}

stat_value read_stat(std::string_view message,
                     const std::unordered_map<std::int64_t, std::string_view>& names) {
  stat_value s;
  each_field(message, [&](const wire_field& f) {
    if (f.number == 1) s.id = f.whole();
    if (f.number == 2) {
      s.real = f.real();
      s.whole = s.real > -9e18 && s.real < 9e18 ? static_cast<std::int64_t>(s.real) : 0;
    }
    if (f.number == 3 || f.number == 4) {
      s.whole = f.whole();
      s.real = static_cast<double>(s.whole);
    }
    if (f.number == 5 || f.number == 6) s.text = f.bytes;
    if (f.number != 7) return;
    const auto at = names.find(f.whole());
    if (at != names.end()) s.text = at->second;
  });
  return s;
}

}  // namespace ridge::backends::trace_xplane
