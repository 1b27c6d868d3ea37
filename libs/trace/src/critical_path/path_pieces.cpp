// SPDX-License-Identifier: Apache-2.0
#include "critical_path/path_pieces.hpp"

namespace ridge::trace {

std::uint32_t path_pieces::cut(std::uint32_t thread, nanoseconds start_ns, nanoseconds until) {
  const auto id = static_cast<std::uint32_t>(cuts.size());
  cuts.push_back({.time_ns = start_ns, .until_ns = until});
  threads[thread].cuts.push_back(id);
  return id;
}

void path_pieces::link(piece_id earlier, piece_id later, edge_slot slot, path_edge why) {
  if (earlier == none || later == none || earlier == later) return;
  const auto at = static_cast<std::size_t>(slot);
  auto& into = pieces[later];
  const auto& source = pieces[earlier];
  if (source.end_ns > into.start_ns) return;
  if (into.after[at] != none && pieces[into.after[at]].end_ns >= source.end_ns) return;
  into.after[at] = earlier;
  into.because[at] = why;
}

}  // namespace ridge::trace
