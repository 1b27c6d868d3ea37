// SPDX-License-Identifier: Apache-2.0
#include "events/trace_columns.hpp"

#include <algorithm>
#include <tuple>

namespace ridge::trace {
namespace {

// Writes events one behind the other into all columns.
class column_writer {
 public:
  column_writer(trace_storage& into, std::size_t events) : into_(into) {
    std::apply([events](auto&... columns) { (columns.resize(events), ...); }, into.event_columns());
  }
  void write(const pending_event& e, track_id of) {
    into_.start_ns[next_] = e.start_ns;
    into_.duration_ns[next_] = e.duration_ns;
    into_.offset[next_] = e.offset;
    into_.name[next_] = e.name;
    into_.track[next_] = of;
    into_.correlation[next_] = e.correlation;
    into_.external[next_] = e.external;
    into_.detail[next_] = e.detail;
    into_.kind[next_] = e.kind;
    into_.flags[next_] = e.flags;
    if (is_device_work(e.kind) && e.detail != none) into_.works[e.detail].event = next_;
    ++next_;
  }
  [[nodiscard]] event_id next() const { return next_; }

 private:
  trace_storage& into_;
  event_id next_ = 0;
};

void write_in_order(pending_track& events, track_id of, column_writer& to) {
  for (std::size_t i = 0; i < events.blocks(); ++i) {
    for (const auto& e : events.block(i)) to.write(e, of);
    events.free_block(i);
  }
}

void write_sorted(pending_track& events, track_id of, column_writer& to) {
  std::vector<const pending_event*> order;
  order.reserve(events.size());
  for (std::size_t i = 0; i < events.blocks(); ++i) {
    for (const auto& e : events.block(i)) order.push_back(&e);
  }
  std::ranges::stable_sort(order, [](auto* a, auto* b) { return stands_before(*a, *b); });
  for (const auto* e : order) to.write(*e, of);
  for (std::size_t i = 0; i < events.blocks(); ++i) events.free_block(i);
}

}  // namespace

void order_events(pending_events& events, std::vector<track>& tracks, trace_storage& into) {
  column_writer to(into, events.size());
  for (track_id t = 0; t < tracks.size(); ++t) {
    tracks[t].first = to.next();
    if (t >= events.tracks()) continue;
    auto& of_track = events.track(t);
    tracks[t].count = static_cast<std::uint32_t>(of_track.size());
    of_track.in_order() ? write_in_order(of_track, t, to) : write_sorted(of_track, t, to);
  }
}

void order_works(trace_storage& in) {
  std::ranges::stable_sort(in.works, {},
                           [](const device_work& w) { return std::tuple(w.device, w.start_ns, w.end_ns); });
  for (work_id w = 0; w < in.works.size(); ++w) in.detail[in.works[w].event] = w;
}

}  // namespace ridge::trace
