// SPDX-License-Identifier: Apache-2.0
#include "trace_columns.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace ridge::trace {
namespace {

using ordering = std::vector<std::uint32_t>;

// Pending events by track, in the order of their arrival.
ordering bucketed(const pending_events& events, std::vector<track>& tracks) {
  for (std::size_t i = 0; i < events.size(); ++i) ++tracks[events[i].row.track].count;
  std::vector<std::uint32_t> next;
  std::uint32_t first = 0;
  for (auto& t : tracks) {
    t.first = first;
    next.push_back(first);
    first += t.count;
  }
  ordering order(events.size());
  for (std::size_t i = 0; i < events.size(); ++i)
    order[next[events[i].row.track]++] = static_cast<std::uint32_t>(i);
  return order;
}

ordering ordered(const pending_events& events, std::vector<track>& tracks) {
  auto order = bucketed(events, tracks);
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    const auto &x = events[a].row, &y = events[b].row;
    return x.start_ns != y.start_ns ? x.start_ns < y.start_ns : x.duration_ns > y.duration_ns;
  };
  for (const auto& t : tracks) {
    const auto begin = order.begin() + t.first, end = begin + t.count;
    if (!std::is_sorted(begin, end, before)) std::stable_sort(begin, end, before);
  }
  return order;
}

template <class T, class Field>
void fill(std::vector<T>& column, const pending_events& events, const ordering& order, Field field) {
  column.resize(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) column[i] = field(events[order[i]]);
}

}  // namespace

void order_events(pending_events& events, std::vector<track>& tracks, trace_storage& into) {
  const auto order = ordered(events, tracks);
  using p = const pending_event&;
  fill(into.start_ns, events, order, [](p e) { return e.row.start_ns; });
  fill(into.duration_ns, events, order, [](p e) { return e.row.duration_ns; });
  fill(into.offset, events, order, [](p e) { return e.row.offset; });
  fill(into.name, events, order, [](p e) { return e.row.name; });
  fill(into.track, events, order, [](p e) { return e.row.track; });
  fill(into.correlation, events, order, [](p e) { return e.row.correlation; });
  fill(into.external, events, order, [](p e) { return e.row.external; });
  fill(into.detail, events, order, [](p e) { return e.detail; });
  fill(into.kind, events, order, [](p e) { return e.row.kind; });
  fill(into.flags, events, order, [](p e) { return e.row.flags; });
  events.clear();
  for (event_id e = 0; e < into.kind.size(); ++e) {
    if (is_device_work(into.kind[e]) && into.detail[e] != none) into.works[into.detail[e]].event = e;
  }
}

void order_works(trace_storage& in) {
  std::ranges::stable_sort(in.works, {},
                           [](const device_work& w) { return std::tuple(w.device, w.start_ns, w.end_ns); });
  for (work_id w = 0; w < in.works.size(); ++w) in.detail[in.works[w].event] = w;
}

}  // namespace ridge::trace
