// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdlib>

#include <ridge/base/error.hpp>
#include <ridge/trace/importer.hpp>

namespace ridge::fuzz {

inline void check(bool holds) {
  if (!holds) std::abort();
}

// Stops the program unless all indices of a trace are within their tables and all durations sensible.
inline void check_whole(const trace::trace& t) {
  std::size_t events = 0;
  for (const auto& track : t.tracks) {
    check(track.process < t.processes.size() && track.first == events);
    events += track.count;
  }
  check(events == t.events.size());
  for (trace::event_id e = 0; e < t.events.size(); ++e)
    check(t.events.name[e] < t.names.size() && t.events.duration_ns[e] >= 0);
  for (const auto& w : t.works) {
    check(w.end_ns >= w.start_ns && w.event < t.events.size());
    check(w.launch == trace::none || w.launch < t.events.size());
    check(w.op == trace::none || w.op < t.events.size());
    check(w.process == trace::none || w.process < t.processes.size());
  }
  for (const auto& f : t.flows) check(f.from_track < t.tracks.size() && f.to_track < t.tracks.size());
  for (const auto& v : t.counter_values) check(v.series < t.counters.size());
}

// Stops the program unless an importer makes of the bytes a trace that holds together, or gives a reason.
inline void check_importer(const trace::importer& importer, const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  static_cast<void>(importer.recognises(bytes));
  try {
    const auto made = importer.read(*trace::source_of(bytes), {}, {.memory_bytes = std::uint64_t{1} << 20});
    if (made.ok())
      check_whole(*made);
    else
      check(!made.why().message.empty() && !made.why().remedy.empty());
  } catch (const failure&) {
  }
}

}  // namespace ridge::fuzz
