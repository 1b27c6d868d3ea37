// SPDX-License-Identifier: Apache-2.0
#include "open_ranges.hpp"

#include <algorithm>

namespace ridge::backends::trace_chrome_json {
namespace {

trace::event_row ended(trace::event_row row, trace::nanoseconds end_ns) {
  row.duration_ns = std::max<trace::nanoseconds>(end_ns - row.start_ns, 0);
  return row;
}

}  // namespace

void open_ranges::push(const trace::event_row& begin) {
  auto& s = stacks_[begin.track];
  s.last_ns = s.open.empty() ? begin.start_ns : std::max(s.last_ns, begin.start_ns);
  s.open.push_back(begin);
}

std::optional<trace::event_row> open_ranges::pop(trace::track_id track, trace::nanoseconds end_ns) {
  const auto at = stacks_.find(track);
  if (at == stacks_.end() || at->second.open.empty()) return std::nullopt;
  const auto row = ended(at->second.open.back(), end_ns);
  at->second.open.pop_back();
  saw(track, end_ns);
  return row;
}

void open_ranges::saw(trace::track_id track, trace::nanoseconds end_ns) {
  const auto at = stacks_.find(track);
  if (at != stacks_.end()) at->second.last_ns = std::max(at->second.last_ns, end_ns);
}

std::vector<trace::event_row> open_ranges::left() const {
  std::vector<trace::event_row> rows;
  for (const auto& [track, s] : stacks_) {
    for (const auto& row : s.open) rows.push_back(ended(row, s.last_ns));
  }
  return rows;
}

}  // namespace ridge::backends::trace_chrome_json
