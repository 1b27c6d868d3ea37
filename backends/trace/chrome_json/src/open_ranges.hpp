// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <vector>

#include <ridge/trace/trace_builder.hpp>

namespace ridge::backends::trace_chrome_json {

// Begin events that wait for their end events; on each track the last one is on top.
class open_ranges {
 public:
  void push(const trace::event_row& begin);
  // Returns the range that ends at `end_ns` on that track; nullopt for an end without a begin.
  [[nodiscard]] std::optional<trace::event_row> pop(trace::track_id track, trace::nanoseconds end_ns);
  // Notes where an event of a track ends, so that a begin without an end can end with its track.
  void saw(trace::track_id track, trace::nanoseconds end_ns);
  [[nodiscard]] bool used() const { return !stacks_.empty(); }
  // Returns the ranges that are still open; they end with their track's last event.
  [[nodiscard]] std::vector<trace::event_row> left() const;

 private:
  struct stack {
    std::vector<trace::event_row> open{};
    trace::nanoseconds last_ns = 0;
  };
  std::map<trace::track_id, stack> stacks_{};
};

}  // namespace ridge::backends::trace_chrome_json
