// SPDX-License-Identifier: Apache-2.0
#include <unordered_map>

#include "critical_path/path_causes.hpp"

namespace ridge::trace {

std::vector<work_cut> cut_launches(const trace& t, path_pieces& pieces) {
  std::vector<work_cut> cuts;
  std::unordered_map<event_id, std::uint32_t>
      cut_of_call;  // cut at its first work's start: works are ordered by start
  for (work_id w = 0; w < t.works.size(); ++w) {
    const auto& work = t.works[w];
    if (work.launch == none || work.start_ns >= t.events.end_ns(work.launch)) continue;
    const auto thread = pieces.thread_of_track[t.events.track[work.launch]];
    if (thread == none) continue;
    const auto [at, fresh] = cut_of_call.try_emplace(work.launch, 0);
    if (fresh) at->second = pieces.cut(thread, work.start_ns, work.start_ns);
    cuts.push_back({at->second, w});
  }
  return cuts;
}

void link_launches(const trace& t, path_pieces& pieces) {
  for (work_id w = 0; w < t.works.size(); ++w) {
    const auto call = t.works[w].launch;
    if (call == none || pieces.piece_of_work[w] == none || t.works[w].start_ns < t.events.end_ns(call))
      continue;
    pieces.link(pieces.piece_at_end[call], pieces.piece_of_work[w], edge_slot::cause, path_edge::launch);
  }
}

}  // namespace ridge::trace
