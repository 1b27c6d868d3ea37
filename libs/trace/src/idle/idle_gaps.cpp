// SPDX-License-Identifier: Apache-2.0
#include "idle/idle_gaps.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace ridge::trace {

std::vector<bare_gap> gaps_of(const trace& t, std::int32_t device, time_range window) {
  std::vector<bare_gap> gaps;
  const auto add = [&](bare_gap g) {
    if (std::max(g.range.start_ns, window.start_ns) < std::min(g.range.end_ns, window.end_ns))
      gaps.push_back(g);
  };
  bare_gap last{.range = {window.start_ns, 0}};
  const auto works = t.works_of(device);
  auto id = works.empty() ? work_id{0} : static_cast<work_id>(works.data() - t.works.data());
  for (const auto& w : works) {
    if (w.start_ns > last.range.start_ns || last.before == none)
      add({{last.range.start_ns, w.start_ns}, last.before, id});
    if (last.before == none || w.end_ns > last.range.start_ns) last = {{w.end_ns, 0}, id, none};
    ++id;
  }
  add({{last.range.start_ns, window.end_ns}, last.before, none});
  return gaps;
}

std::vector<event_id> stream_wait_records(const trace& t) {
  std::vector<event_id> records;
  if (t.syncs.empty()) return records;
  for (event_id e = 0; e < t.events.size(); ++e) {
    if (t.events.kind[e] != category::synchronization || t.events.detail[e] == none) continue;
    if (t.syncs[t.events.detail[e]].kind == sync_kind::stream_wait_event) records.push_back(e);
  }
  return records;
}

event_waits::event_waits(const trace& t, std::span<const event_id> records, std::int32_t device)
    : trace_(t), device_(device) {
  for (const auto e : records) {
    const auto& s = t.syncs[t.events.detail[e]];
    if (s.device == device || s.device < 0) waits_.push_back({s.stream, t.events.start_ns[e], e});
  }
  std::ranges::sort(waits_, {}, [](const wait& w) { return std::tuple(w.stream, w.at_ns, w.record); });
}

event_id event_waits::before(work_id w) const {
  const auto& work = trace_.works[w];
  if (waits_.empty() || work.launch == none) return none;
  const auto key = std::tuple(work.stream, trace_.events.start_ns[work.launch]);
  const auto after =
      std::ranges::upper_bound(waits_, key, {}, [](const wait& x) { return std::tuple(x.stream, x.at_ns); });
  if (after == waits_.begin()) return none;
  const auto& found = *std::prev(after);
  return found.stream == work.stream && found.at_ns > launch_before(w) ? found.record : none;
}

// Streams run in order, so the previous work of the stream is close by.
nanoseconds event_waits::launch_before(work_id w) const {
  for (auto i = w; i-- > 0 && trace_.works[i].device == device_;) {
    const auto& earlier = trace_.works[i];
    if (earlier.stream == trace_.works[w].stream)
      return earlier.launch == none ? earlier.start_ns : trace_.events.start_ns[earlier.launch];
  }
  return std::numeric_limits<nanoseconds>::min();
}

}  // namespace ridge::trace
