// SPDX-License-Identifier: Apache-2.0
#include "hta/hta_host_rows.hpp"

#include <algorithm>
#include <limits>

#include <ridge/trace/hta_series.hpp>

namespace ridge::trace {
namespace {

// Kineto's span of the whole recording, which HTA drops by its category.
bool is_span_of_profiler(const trace& t, event_id e) {
  return t.events.kind[e] == category::other && t.name_of(e).starts_with("PyTorch Profiler");
}

bool is_hta_row(const trace& t, event_id e) {
  return (t.events.flags[e] & flag_instant) == 0 && !is_span_of_profiler(t, e);
}

}  // namespace

hta_place hta_place_of_event(const trace& t, event_id e) {
  if (e == none) return {};
  const auto& track = t.tracks[t.events.track[e]];
  return {t.processes[track.process].id, track.thread};
}

hta_place hta_place_of(const trace& t, work_id work) {
  return work == none ? hta_place{} : hta_place_of_event(t, t.works[work].event);
}

nanoseconds hta_first_start(const trace& t, const hta_options& options) {
  constexpr auto latest = std::numeric_limits<nanoseconds>::max();
  auto first = latest;
  for (event_id e = 0; e < t.events.size(); ++e) {
    if (is_hta_row(t, e)) first = std::min(first, t.events.start_ns[e]);
  }
  return first == latest ? 0 : hta_times(first, 0, options).start_ns;
}

void for_each_host_row(const trace& t, const hta_rows& rows, const hta_options& options,
                       const std::function<void(event_id, time_range, bool kept)>& visit) {
  for (event_id e = 0; e < t.events.size(); ++e) {
    if (is_device_work(t.events.kind[e]) || !is_hta_row(t, e)) continue;
    const auto at = hta_times(t.events.start_ns[e], t.events.duration_ns[e], options);
    visit(e, at, at.start_ns < rows.until_ns);
  }
}

hta_span hta_span_of(const trace& t, const hta_options& options) {
  const auto rows = hta_rows_of(t, options);
  hta_span out{hta_first_start(t, options), std::numeric_limits<nanoseconds>::max(),
               std::numeric_limits<nanoseconds>::min()};
  const auto keep = [&out](nanoseconds start) {
    out.first_kept_ns = std::min(out.first_kept_ns, start);
    out.last_kept_ns = std::max(out.last_kept_ns, start);
  };
  for_each_host_row(t, rows, options, [&](event_id, time_range at, bool kept) {
    if (kept) keep(at.start_ns);
  });
  for (const auto& r : rows.device) keep(r.start_ns);
  if (out.last_kept_ns < out.first_kept_ns) out.first_kept_ns = out.last_kept_ns = out.first_ns;
  return out;
}

}  // namespace ridge::trace
