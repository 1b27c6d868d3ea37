// SPDX-License-Identifier: Apache-2.0
#include "idle/main_thread.hpp"

#include <algorithm>
#include <map>

namespace ridge::trace {
namespace {

track_id busiest_thread(const trace& t) {
  track_id found = none;
  for (track_id i = 0; i < t.tracks.size(); ++i) {
    if (t.tracks[i].kind != track_kind::thread) continue;
    if (found == none || t.tracks[i].count > t.tracks[found].count) found = i;
  }
  return found;
}

}  // namespace

track_id main_thread_of(const trace& t, std::int32_t device) {
  std::map<track_id, std::uint64_t> launches;  // by thread, because devices may be as many as tracks
  for (const auto& w : t.works_of(device)) {
    if (w.launch != none) ++launches[t.events.track[w.launch]];
  }
  const auto most = std::ranges::max_element(launches, {}, [](const auto& thread) { return thread.second; });
  return most == launches.end() ? busiest_thread(t) : most->first;
}

}  // namespace ridge::trace
