// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <unordered_map>

#include "critical_path/path_causes.hpp"

namespace ridge::trace {
namespace {

using stream_key = std::pair<std::int32_t, std::int32_t>;

// The work of each stream with the time at which its launch began. A stream runs work in the order of
// launches, so both ascend together.
class launched_work {
 public:
  explicit launched_work(const trace& t) : t_(t) {
    for (work_id w = 0; w < t.works.size(); ++w) {
      if (t.works[w].launch != none) streams_[{t.works[w].device, t.works[w].stream}].push_back(w);
    }
  }
  [[nodiscard]] work_id last_before(stream_key stream, nanoseconds time) const {
    const auto [all, at] = find(stream, time);
    return all == nullptr || at == all->begin() ? none : *std::prev(at);
  }
  [[nodiscard]] work_id first_after(stream_key stream, nanoseconds time) const {
    const auto [all, at] = find(stream, time);
    return all == nullptr || at == all->end() ? none : *at;
  }

 private:
  using row = std::vector<work_id>;
  [[nodiscard]] std::pair<const row*, row::const_iterator> find(stream_key stream, nanoseconds time) const {
    const auto known = streams_.find(stream);
    if (known == streams_.end()) return {nullptr, {}};
    const auto at = std::ranges::lower_bound(
        known->second, time, {}, [&](work_id w) { return t_.events.start_ns[t_.works[w].launch]; });
    return {&known->second, at};
  }
  const trace& t_;
  std::map<stream_key, row> streams_{};
};

// The starts of the calls whose correlations the waits name.
std::unordered_map<std::uint32_t, nanoseconds> call_times(const trace& t, std::span<const event_id> waits) {
  std::unordered_map<std::uint32_t, nanoseconds> times;
  for (const auto e : waits) {
    times.try_emplace(t.events.correlation[e], t.events.start_ns[e]);
    times.try_emplace(t.syncs[t.events.detail[e]].wait_on_correlation, -1);
  }
  for (event_id e = 0; e < t.events.size(); ++e) {
    if (t.events.kind[e] != category::api || t.events.correlation[e] == 0) continue;
    const auto at = times.find(t.events.correlation[e]);
    if (at != times.end()) at->second = t.events.start_ns[e];
  }
  return times;
}

std::vector<event_id> stream_waits(const trace& t) {
  std::vector<event_id> found;
  if (t.syncs.empty()) return found;
  for (event_id e = 0; e < t.events.size(); ++e) {
    if (t.events.kind[e] == category::synchronization && t.events.detail[e] != none &&
        t.syncs[t.events.detail[e]].kind == sync_kind::stream_wait_event)
      found.push_back(e);
  }
  return found;
}

}  // namespace

void link_stream_waits(const trace& t, path_pieces& pieces) {
  const auto waits = stream_waits(t);
  if (waits.empty()) return;
  const auto times = call_times(t, waits);
  const launched_work work(t);
  for (const auto e : waits) {
    const auto& d = t.syncs[t.events.detail[e]];
    const auto recorded = times.at(d.wait_on_correlation);
    if (recorded < 0) continue;
    const auto from = work.last_before({d.device, d.wait_on_stream}, recorded);
    const auto to = work.first_after({d.device, d.stream}, times.at(t.events.correlation[e]));
    if (from == none || to == none) continue;
    pieces.link(pieces.piece_of_work[from], pieces.piece_of_work[to], edge_slot::wait,
                path_edge::stream_wait);
  }
}

}  // namespace ridge::trace
