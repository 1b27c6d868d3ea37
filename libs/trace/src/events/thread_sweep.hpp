// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <limits>
#include <vector>

#include <ridge/trace/trace.hpp>

namespace ridge::trace {

[[nodiscard]] constexpr bool is_host_work(category c) {
  return c == category::api || c == category::op || c == category::annotation || c == category::python ||
         c == category::overhead || c == category::os_call;
}

// Walks a thread's events in order of time, nested as they are on its tracks. `Visitor`:
//   void opened(event_id)                          an event begins; all before it has been reported
//   void stretch(start, end, event_id innermost)   a stretch below one innermost event, or `none`
//   void closed(event_id)                          an event ends; all before its end has been reported
// Stretches are reported in order and without holes from the thread's first event on.
template <class Visitor>
class thread_sweep {
 public:
  thread_sweep(const trace& t, std::array<track_id, 2> tracks, Visitor& visitor) : t_(t), visitor_(visitor) {
    for (std::size_t i = 0; i < 2; ++i) {
      if (tracks[i] == none) continue;
      next_[i] = t.tracks[tracks[i]].first;
      end_[i] = next_[i] + t.tracks[tracks[i]].count;
      skip(i);
    }
  }

  // Walks to the end, or to the first event that begins at `until_ns` or later.
  void run(nanoseconds until_ns = std::numeric_limits<nanoseconds>::max()) {
    for (auto e = take(); e != none && t_.events.start_ns[e] < until_ns; e = take()) {
      if (open_.empty() && !begun_) now_ = t_.events.start_ns[e];
      begun_ = true;
      close_until(t_.events.start_ns[e]);
      advance(t_.events.start_ns[e]);
      visitor_.opened(e);
      open_.push_back(e);
    }
    close_until(std::numeric_limits<nanoseconds>::max());
  }

 private:
  void skip(std::size_t i) {
    while (next_[i] < end_[i] && !is_host_work(t_.events.kind[next_[i]])) ++next_[i];
  }

  event_id take() {
    const bool first = next_[0] < end_[0], second = next_[1] < end_[1];
    if (!first && !second) return none;
    const std::size_t from = first && (!second || stands_before(next_[0], next_[1])) ? 0 : 1;
    const auto e = next_[from]++;
    skip(from);
    return e;
  }

  bool stands_before(event_id a, event_id b) const {
    const auto &start = t_.events.start_ns, &length = t_.events.duration_ns;
    return start[a] != start[b] ? start[a] < start[b] : length[a] > length[b];
  }

  void close_until(nanoseconds time) {
    while (!open_.empty() && t_.events.end_ns(open_.back()) <= time) {
      const auto e = open_.back();
      advance(t_.events.end_ns(e));
      open_.pop_back();
      visitor_.closed(e);
    }
  }

  void advance(nanoseconds time_ns) {
    if (time_ns <= now_) return;
    visitor_.stretch(now_, time_ns, open_.empty() ? none : open_.back());
    now_ = time_ns;
  }

  const trace& t_;
  Visitor& visitor_;
  std::array<event_id, 2> next_{0, 0}, end_{0, 0};
  std::vector<event_id> open_{};
  nanoseconds now_ = 0;
  bool begun_ = false;
};

}  // namespace ridge::trace
