// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include <ridge/trace/idle.hpp>

namespace ridge::trace {

// What a thread did in some ranges: pieces[ends[i - 1] .. ends[i]) cover range i exactly.
struct told_ranges {
  std::vector<idle_piece> pieces{};
  std::vector<std::uint32_t> ends{};
};

// What threads did, as the calls, operators, frames and records open on them show.
class host_activity {
 public:
  explicit host_activity(const trace& t);

  // Returns what the thread did in disjoint, ascending ranges, from one sweep over its events. For a track of
  // `none` everything is `unknown`.
  [[nodiscard]] told_ranges during(track_id thread, std::span<const time_range> ranges);

 private:
  struct source {
    event_id next = 0, end = 0;
  };
  void index_tracks();
  [[nodiscard]] std::vector<source> sources_of(track_id thread);
  [[nodiscard]] std::uint8_t activity(event_id e);

  const trace& trace_;
  std::array<std::vector<std::uint8_t>, category_count> known_{};  // by name
  bool indexed_ = false;
  std::map<std::pair<std::uint32_t, std::int64_t>, std::vector<track_id>> tracks_of_{};  // by process, thread
  std::vector<track_id> ownerless_{};
};

}  // namespace ridge::trace
