// SPDX-License-Identifier: Apache-2.0
#include "timeline/device_pieces.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace ridge::trace {
namespace {

path_class class_of_work(work_class c) {
  switch (c) {
    case work_class::compute:
      return path_class::compute;
    case work_class::communication:
      return path_class::communication;
    case work_class::copy:
      return path_class::copy;
    case work_class::fill:
      return path_class::fill;
  }
  return path_class::unknown;
}

nanoseconds known_since(const path_pieces& pieces, const piece& p) {
  nanoseconds latest = pieces.window.start_ns;
  for (const auto from : p.after) {
    if (from != none) latest = std::max(latest, pieces.pieces[from].end_ns);
  }
  return latest;
}

// Finds, for each piece of a device that began late, the device's piece that ended last before it.
void infer_for_device(nanoseconds from_ns, piece_id first, piece_id last, path_pieces& pieces) {
  std::vector<piece_id> by_end;
  for (auto id = first; id < last; ++id) by_end.push_back(id);
  std::ranges::sort(by_end, {}, [&](piece_id id) { return pieces.pieces[id].end_ns; });
  std::size_t ended = 0;
  for (auto id = first; id < last; ++id) {
    const auto& p = pieces.pieces[id];
    while (ended < by_end.size() && pieces.pieces[by_end[ended]].end_ns <= p.start_ns) ++ended;
    if (ended == 0 || p.start_ns - known_since(pieces, p) <= from_ns) continue;
    if (pieces.pieces[by_end[ended - 1]].end_ns > known_since(pieces, p))
      pieces.link(by_end[ended - 1], id, edge_slot::wait, path_edge::inferred_wait);
  }
}

}  // namespace

void make_device_pieces(const trace& t, std::span<const work_class> classes, path_pieces& pieces) {
  std::map<std::tuple<std::int32_t, std::int32_t, std::uint32_t>, piece_id> last_of_stream;
  pieces.piece_of_work.assign(t.works.size(), none);
  for (work_id w = 0; w < t.works.size(); ++w) {
    const auto& work = t.works[w];
    if (w == 0 || t.works[w - 1].device != work.device) pieces.start_run();
    if (work.start_ns >= pieces.window.end_ns || work.end_ns <= pieces.window.start_ns) continue;
    const auto id = static_cast<piece_id>(pieces.pieces.size());
    pieces.piece_of_work[w] = id;
    pieces.pieces.push_back({.start_ns = std::max(work.start_ns, pieces.window.start_ns),
                             .end_ns = std::min(work.end_ns, pieces.window.end_ns),
                             .event = work.event,
                             .work = w,
                             .is = class_of_work(classes[w]),
                             .launched = work.launch != none});
    const auto [at, fresh] = last_of_stream.try_emplace({work.device, work.stream, work.process}, id);
    if (fresh) continue;
    auto& before = pieces.pieces[at->second];
    before.end_ns = std::min(before.end_ns, pieces.pieces[id].start_ns);
    pieces.link(at->second, id, edge_slot::order, path_edge::stream_order);
    at->second = id;
  }
}

void infer_stream_waits(const trace& t, nanoseconds from_ns, path_pieces& pieces) {
  piece_id first = none, last = none;
  for (work_id w = 0; w < t.works.size(); ++w) {
    const auto id = pieces.piece_of_work[w];
    if (id == none) continue;
    if (first != none && t.works[pieces.pieces[first].work].device != t.works[w].device)
      infer_for_device(from_ns, std::exchange(first, none), last + 1, pieces);
    if (first == none) first = id;
    last = id;
  }
  if (first != none) infer_for_device(from_ns, first, last + 1, pieces);
}

}  // namespace ridge::trace
