// SPDX-License-Identifier: Apache-2.0
#include "critical_path/path_pieces.hpp"

namespace ridge::trace {

std::uint32_t path_pieces::cut(std::uint32_t thread, nanoseconds from, nanoseconds until) {
  const auto id = static_cast<std::uint32_t>(cuts.size());
  cuts.push_back({.time_ns = from, .until_ns = until});
  threads[thread].cuts.push_back(id);
  return id;
}

void path_pieces::link(piece_id from, piece_id to, edge_slot slot, path_edge why) {
  if (from == none || to == none || from == to) return;
  const auto at = static_cast<std::size_t>(slot);
  auto& into = pieces[to];
  const auto& source = pieces[from];
  if (source.end_ns > into.start_ns) return;
  if (into.after[at] != none && pieces[into.after[at]].end_ns >= source.end_ns) return;
  into.after[at] = from;
  into.because[at] = why;
}

}  // namespace ridge::trace
