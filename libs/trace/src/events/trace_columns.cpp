// SPDX-License-Identifier: Apache-2.0
#include "events/trace_columns.hpp"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace ridge::trace {
namespace {

// Writes events one after the other into all columns.
class column_writer {
 public:
  column_writer(trace_storage& storage, std::size_t events) : storage_(storage) {
    std::apply([events](auto&... columns) { (columns.resize(events), ...); }, storage.event_columns());
  }
  void write(const pending_event& e, track_id track) {
    storage_.start_ns[next_] = e.start_ns;
    storage_.duration_ns[next_] = e.duration_ns;
    storage_.offset[next_] = e.offset;
    storage_.name[next_] = e.name;
    storage_.track[next_] = track;
    storage_.correlation[next_] = e.correlation;
    storage_.external[next_] = e.external;
    storage_.detail[next_] = e.detail;
    storage_.kind[next_] = e.kind;
    storage_.flags[next_] = e.flags;
    if (is_device_work(e.kind) && e.detail != none) storage_.works[e.detail].event = next_;
    ++next_;
  }
  [[nodiscard]] event_id next() const { return next_; }

 private:
  trace_storage& storage_;
  event_id next_ = 0;
};

void write_in_order(pending_track& events, track_id track, column_writer& writer) {
  for (std::size_t i = 0; i < events.blocks(); ++i) {
    for (const auto& e : events.block(i)) writer.write(e, track);
    events.free_block(i);
  }
}

void write_sorted(pending_track& events, track_id track, column_writer& writer) {
  std::vector<const pending_event*> order;
  order.reserve(events.size());
  for (std::size_t i = 0; i < events.blocks(); ++i) {
    for (const auto& e : events.block(i)) order.push_back(&e);
  }
  std::ranges::stable_sort(order, [](auto* a, auto* b) { return stands_before(*a, *b); });
  for (const auto* e : order) writer.write(*e, track);
  for (std::size_t i = 0; i < events.blocks(); ++i) events.free_block(i);
}

}  // namespace

void order_events(pending_events& events, std::vector<track>& tracks, trace_storage& storage) {
  column_writer to(storage, events.size());
  for (track_id t = 0; t < tracks.size(); ++t) {
    tracks[t].first = to.next();
    if (t >= events.tracks()) continue;
    auto& of_track = events.track(t);
    tracks[t].count = static_cast<std::uint32_t>(of_track.size());
    of_track.in_order() ? write_in_order(of_track, t, to) : write_sorted(of_track, t, to);
  }
}

void order_works(trace_storage& storage) {
  const auto place = [](const device_work& w) { return std::tuple(w.device, w.start_ns, w.end_ns); };
  if (!std::ranges::is_sorted(storage.works, {}, place)) {
    // Rows are long: only what they are ordered by is sorted, and each row is copied once.
    std::vector<std::pair<std::tuple<std::int32_t, nanoseconds, nanoseconds>, work_id>> order;
    order.reserve(storage.works.size());
    for (const auto& w : storage.works) order.emplace_back(place(w), static_cast<work_id>(order.size()));
    std::ranges::sort(order);
    std::vector<device_work> ordered;
    ordered.reserve(order.size());
    for (const auto& [key, id] : order) ordered.push_back(storage.works[id]);
    storage.works = std::move(ordered);
  }
  for (work_id w = 0; w < storage.works.size(); ++w) storage.detail[storage.works[w].event] = w;
}

}  // namespace ridge::trace
