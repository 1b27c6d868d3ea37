// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "critical_path/path_causes.hpp"

namespace ridge::trace {
namespace {

// Returns the stream that a blocking call waited for, by its synchronization record.
class sync_records {
 public:
  explicit sync_records(const trace& t) {
    if (t.syncs.empty()) return;
    for (event_id e = 0; e < t.events.size(); ++e) {
      if (t.events.kind[e] != category::synchronization || t.events.detail[e] == none) continue;
      const auto& d = t.syncs[t.events.detail[e]];
      const auto stream = d.kind == sync_kind::event && d.wait_on_stream >= 0 ? d.wait_on_stream : d.stream;
      if (d.kind != sync_kind::device && d.kind != sync_kind::stream_wait_event && stream >= 0 &&
          t.events.correlation[e] != 0)
        streams_.try_emplace(t.events.correlation[e], stream);
    }
  }
  [[nodiscard]] std::optional<std::int32_t> stream(std::uint32_t correlation) const {
    const auto at = streams_.find(correlation);
    return correlation == 0 || at == streams_.end() ? std::nullopt : std::optional(at->second);
  }

 private:
  std::unordered_map<std::uint32_t, std::int32_t> streams_{};
};

// Finds what a call waited for: the work of its process, launched before the call, that ended last before it
// returned.
class finished_work {
 public:
  explicit finished_work(const trace& t) : t_(t), by_end_(t.works.size()) {
    std::iota(by_end_.begin(), by_end_.end(), 0U);
    std::ranges::sort(by_end_, {}, [&](work_id w) { return t.works[w].end_ns; });
  }

  [[nodiscard]] work_id last_during(event_id call, std::uint32_t process,
                                    std::optional<std::int32_t> stream) const {
    const auto start = t_.events.start_ns[call];
    auto at = std::ranges::upper_bound(by_end_, t_.events.end_ns(call), {},
                                       [&](work_id w) { return t_.works[w].end_ns; });
    while (at != by_end_.begin()) {
      const auto w = *--at;
      const auto& work = t_.works[w];
      if (work.end_ns <= start) return none;
      if ((work.process == process || work.process == none) && (!stream || work.stream == *stream) &&
          (work.launch == none || t_.events.start_ns[work.launch] < start))
        return w;
    }
    return none;
  }

 private:
  const trace& t_;
  std::vector<work_id> by_end_;
};

bool is_pageable(const trace& t, const device_work& w) {
  return w.source == memory_kind::pageable || w.destination == memory_kind::pageable ||
         t.names[w.name].find("Pageable") != std::string_view::npos;
}

bool blocks(const trace& t, host_names& names, const device_work& w) {
  return w.kind == category::copy && w.launch != none && w.end_ns <= t.events.end_ns(w.launch) &&
         (names.role(t.events.name[w.launch]) == call_role::blocking_copy || is_pageable(t, w));
}

// A call that blocks on its copy waits from its own beginning where the stream was still busy then. Otherwise
// it works (stages pageable memory) until the copy begins.
void cut_copies(const trace& t, host_names& names, path_pieces& pieces, std::vector<work_cut>& cuts) {
  std::map<std::tuple<std::int32_t, std::int32_t, std::uint32_t>, nanoseconds> busy_until;
  for (work_id w = 0; w < t.works.size(); ++w) {
    const auto& work = t.works[w];
    const auto at =
        busy_until.try_emplace({work.device, work.stream, work.process}, pieces.window.start_ns).first;
    const auto stream_free = std::exchange(at->second, work.end_ns);
    if (!blocks(t, names, work)) continue;
    const auto thread = pieces.thread_of_track[t.events.track[work.launch]];
    const auto called = t.events.start_ns[work.launch];
    if (thread == none) continue;
    const auto from = stream_free > called ? called : std::max(called, work.start_ns);
    cuts.push_back({pieces.cut(thread, std::min(from, work.end_ns), work.end_ns), w});
  }
}

}  // namespace

std::vector<work_cut> cut_blocking_calls(const trace& t, host_names& names, path_pieces& pieces) {
  std::vector<work_cut> cuts;
  if (t.works.empty()) return cuts;
  cut_copies(t, names, pieces, cuts);
  const sync_records records(t);
  const finished_work finished(t);
  for (event_id e = 0; e < t.events.size(); ++e) {
    if (t.events.kind[e] != category::api) continue;
    const auto role = names.role(t.events.name[e]);
    const auto thread = pieces.thread_of_track[t.events.track[e]];
    if (!waits_for_work(role) || thread == none) continue;
    const auto stream =
        role == call_role::device_sync ? std::nullopt : records.stream(t.events.correlation[e]);
    const auto w = finished.last_during(e, pieces.threads[thread].process, stream);
    if (w != none) cuts.push_back({pieces.cut(thread, t.events.start_ns[e], t.works[w].end_ns), w});
  }
  return cuts;
}

}  // namespace ridge::trace
