// SPDX-License-Identifier: Apache-2.0
#include "idle/main_thread.hpp"

#include <algorithm>
#include <map>

namespace ridge::trace {

track_id busiest_thread_of(const trace& t) {
  track_id found = none;
  for (track_id i = 0; i < t.tracks.size(); ++i) {
    if (t.tracks[i].kind != track_kind::thread) continue;
    if (found == none || t.tracks[i].count > t.tracks[found].count) found = i;
  }
  return found;
}

track_id launching_thread_of(const trace& t, std::int32_t device) {
  std::map<track_id, std::uint64_t> launches;  // by thread, because devices may be as many as tracks
  for (const auto& w : t.works_of(device)) {
    if (w.launch != none) ++launches[t.events.track[w.launch]];
  }
  const auto most = std::ranges::max_element(launches, {}, [](const auto& thread) { return thread.second; });
  return most == launches.end() ? none : most->first;
}

}  // namespace ridge::trace
