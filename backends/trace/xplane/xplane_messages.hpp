// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <ridge/trace/wire_message.hpp>

namespace ridge::backends::trace_xplane {

// A value beside an event, a kind of events, or a plane; `bytes` is its text.
struct stat_value {
  std::int64_t id = 0;
  double real = 0;
  std::int64_t whole = 0;
  std::string_view text{};
};

// What all events of one kind share.
struct event_kind {
  std::string_view name{};
  std::string_view display_name{};
  std::vector<std::string_view> stats{};  // XStat messages
};

// One plane: a device, the host, or facts about them. Its texts stand in the content.
struct plane {
  std::string_view name{};
  std::vector<std::string_view> lines{};
  std::unordered_map<std::int64_t, event_kind> kinds{};
  std::unordered_map<std::int64_t, std::string_view> stat_names{};
  std::vector<std::string_view> stats{};
  bool damaged = false;
};

// One row of a plane: a stream of a device or a thread of the host.
struct line {
  std::int64_t id = 0;
  std::int64_t start_ns = 0;
  std::string_view name{};
  std::vector<std::string_view> events{};
  bool damaged = false;
};

// One event. Its times are in picoseconds since its line's start.
struct line_event {
  std::int64_t kind = 0;
  std::int64_t offset_ps = 0;
  std::int64_t duration_ps = 0;
  bool aggregated = false;  // a number of occurrences without a time
  bool damaged = false;
};

[[nodiscard]] plane read_plane(std::string_view message);
[[nodiscard]] line read_line(std::string_view message);
// Reads an event and hands each of its stats' messages to `take`.
template <class Take>
[[nodiscard]] line_event read_event(std::string_view message, Take take) {
  line_event e;
  trace::wire_message fields(message);
  for (trace::wire_field f; fields.next(f);) {
    if (f.number == 1) e.kind = f.whole();
    if (f.number == 2) e.offset_ps = f.whole();
    if (f.number == 3) e.duration_ps = f.whole();
    if (f.number == 4) take(f.bytes);
    if (f.number == 5) e.aggregated = true;
  }
  e.damaged = fields.damaged();
  return e;
}
// Reads a stat; a text that is kept among the names of stats is looked up in `names`.
[[nodiscard]] stat_value read_stat(std::string_view message,
                                   const std::unordered_map<std::int64_t, std::string_view>& names);

}  // namespace ridge::backends::trace_xplane
