// SPDX-License-Identifier: Apache-2.0
#include "events/trace_links.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace ridge::trace {
namespace {

struct key_to_event {
  std::uint64_t key = 0;
  event_id event = none;
};

std::uint64_t key_of(std::uint32_t process, std::uint32_t id) { return (std::uint64_t{process} << 32) | id; }

// Events of one category by (process, id); of equal keys the first on its track stands first.
class event_index {
 public:
  event_index(const std::vector<track>& tracks, const trace_storage& storage, category kind,
              const column<std::uint32_t>& ids) {
    for (event_id e = 0; e < storage.kind.size(); ++e) {
      if (storage.kind[e] == kind && ids[e] != 0)
        rows_.push_back({key_of(tracks[storage.track[e]].process, ids[e]), e});
    }
    std::ranges::stable_sort(rows_, {}, &key_to_event::key);
    const auto all_one = !rows_.empty() && rows_.front().key >> 32 == rows_.back().key >> 32;
    if (all_one) only_process_ = static_cast<std::uint32_t>(rows_.front().key >> 32);
  }

  // Where the process is not recorded, the trace's only process is taken, or none.
  [[nodiscard]] event_id find(std::uint32_t process, std::uint32_t id) const {
    if (id == 0) return none;
    if (process == none && only_process_ == none) return none;
    const auto key = key_of(process == none ? only_process_ : process, id);
    const auto at = std::ranges::lower_bound(rows_, key, {}, &key_to_event::key);
    return at != rows_.end() && at->key == key ? at->event : none;
  }

 private:
  std::vector<key_to_event> rows_{};
  std::uint32_t only_process_ = none;  // the process of all rows, where there is only one
};

bool is_host_event(category c) {
  return c == category::api || c == category::op || c == category::annotation || c == category::python ||
         c == category::os_call;
}

using streams = std::map<std::pair<std::int32_t, std::int32_t>, std::vector<work_id>>;

streams by_stream(const trace_storage& storage) {
  streams all;
  for (work_id w = 0; w < storage.works.size(); ++w)
    all[{storage.works[w].device, storage.works[w].stream}].push_back(w);
  return all;
}

std::uint8_t overlap_flag(const trace_storage& storage, const std::vector<work_id>& stream,
                          std::size_t index) {
  constexpr std::size_t too_many = 6;
  std::size_t covered = 0;
  while (covered < too_many && index + covered + 1 < stream.size() &&
         storage.works[stream[index + covered + 1]].start_ns < storage.works[stream[index]].end_ns)
    ++covered;
  return covered == too_many ? flag_covers_successors : covered == 1 ? flag_overlaps_next : 0;
}

}  // namespace

void link_works(const std::vector<track>& tracks, trace_storage& storage) {
  const event_index launches(tracks, storage, category::api, storage.correlation);
  const event_index ops(tracks, storage, category::op, storage.external);
  for (auto& w : storage.works) {
    w.launch = launches.find(w.process, w.correlation);
    w.op = ops.find(w.process, w.external);
    if (w.op == none && w.launch != none)
      w.op = ops.find(tracks[storage.track[w.launch]].process, storage.external[w.launch]);
  }
}

void drop_foreign_clocks(trace_storage& storage, input_quality& quality) {
  constexpr nanoseconds slack_ns = 1'000'000'000;
  nanoseconds first = std::numeric_limits<nanoseconds>::max(), last = std::numeric_limits<nanoseconds>::min();
  for (event_id e = 0; e < storage.kind.size(); ++e) {
    if (!is_host_event(storage.kind[e])) continue;
    first = std::min(first, storage.start_ns[e]);
    last = std::max(last, storage.start_ns[e] + storage.duration_ns[e]);
  }
  if (first > last) return;
  std::erase_if(storage.works, [&](const device_work& w) {
    if (w.start_ns >= first - slack_ns && w.start_ns <= last + slack_ns) return false;
    storage.flags[w.event] |= flag_foreign_clock;
    storage.detail[w.event] = none;
    quality.add(flaw::foreign_clock, storage.offset[w.event]);
    return true;
  });
  for (work_id w = 0; w < storage.works.size(); ++w) storage.detail[storage.works[w].event] = w;
}

void flag_anomalies(trace_storage& storage, input_quality& quality) {
  for (const auto& [key, stream] : by_stream(storage)) {
    for (std::size_t at = 0; at < stream.size(); ++at) {
      auto& w = storage.works[stream[at]];
      w.flags |= overlap_flag(storage, stream, at);
      storage.flags[w.event] = w.flags;
      if (w.flags & flag_covers_successors) quality.add(flaw::overflowing_duration, storage.offset[w.event]);
    }
  }
  for (const auto& w : storage.works) {
    if (w.launch != none && w.start_ns < storage.start_ns[w.launch])
      quality.add(flaw::launched_after_start, storage.offset[w.event]);
  }
}

}  // namespace ridge::trace
