// SPDX-License-Identifier: Apache-2.0
#include "idle/host_activity.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>

#include "timeline/activity_names.hpp"

namespace ridge::trace {
namespace {

constexpr std::uint8_t silent = 0xff, not_asked = 0xfe;
constexpr auto cause_count = static_cast<std::size_t>(idle_cause::unknown) + 1;
constexpr nanoseconds forever = std::numeric_limits<nanoseconds>::max();

// Walks over time, with the events that are open now, and writes what the ranges hold.
class teller {
 public:
  explicit teller(std::span<const time_range> ranges) : ranges_(ranges) { skip_empty(); }

  [[nodiscard]] bool done() const { return position_ == ranges_.size(); }
  [[nodiscard]] bool over(nanoseconds end) const {
    return end <= std::max(now_, ranges_[position_].start_ns);
  }

  void open(event_id e, nanoseconds end, std::uint8_t cause) {
    open_[cause].push_back({end, e});
    causes_ |= 1U << cause;
  }

  void advance(nanoseconds time_ns) {
    while (!done() && ranges_[position_].start_ns < time_ns) {
      const auto range = ranges_[position_];
      now_ = std::max(now_, range.start_ns);
      while (now_ < std::min(time_ns, range.end_ns)) step(std::min(time_ns, range.end_ns));
      if (now_ < range.end_ns) return;
      finish_range();
    }
  }

  [[nodiscard]] told_ranges result() && { return std::move(told_); }

 private:
  struct open_event {
    nanoseconds end_ns = 0;
    event_id event = none;
  };

  void step(nanoseconds limit) {
    auto cause = idle_cause::unknown;
    open_event top{forever, none};
    while (causes_ != 0) {
      auto& of_first = open_[static_cast<std::size_t>(std::countr_zero(causes_))];
      while (!of_first.empty() && of_first.back().end_ns <= now_) of_first.pop_back();
      if (!of_first.empty()) {
        cause = static_cast<idle_cause>(std::countr_zero(causes_));
        top = of_first.back();
        break;
      }
      causes_ &= causes_ - 1;
    }
    const auto stop = std::min(limit, top.end_ns);
    write({now_, stop}, cause, top.event);
    now_ = stop;
  }

  void write(time_range r, idle_cause cause, event_id e) {
    if (fresh_ || told_.pieces.back().cause != cause) {
      told_.pieces.push_back({r, cause, e});
      fresh_ = false;
      run_event_ = e;
      longest_ns_ = run_ns_ = r.length_ns();
      return;
    }
    auto& piece = told_.pieces.back();
    piece.range.end_ns = r.end_ns;
    run_ns_ = (e == run_event_ ? run_ns_ : 0) + r.length_ns();
    run_event_ = e;
    if (run_ns_ > longest_ns_) {
      longest_ns_ = run_ns_;
      piece.blamed = e;
    }
  }

  void finish_range() {
    told_.ends.push_back(static_cast<std::uint32_t>(told_.pieces.size()));
    fresh_ = true;
    ++position_;
    skip_empty();
  }

  void skip_empty() {
    for (; !done() && ranges_[position_].length_ns() == 0; ++position_)
      told_.ends.push_back(static_cast<std::uint32_t>(told_.pieces.size()));
  }

  std::span<const time_range> ranges_;
  std::size_t position_ = 0;
  nanoseconds now_ = std::numeric_limits<nanoseconds>::min();
  std::array<std::vector<open_event>, cause_count> open_{};
  std::uint32_t causes_ = 0;
  bool fresh_ = true;
  event_id run_event_ = none;
  nanoseconds run_ns_ = 0, longest_ns_ = 0;
  told_ranges told_{};
};

}  // namespace

host_activity::host_activity(const trace& t) : trace_(t) {}

std::uint8_t host_activity::activity(event_id e) {
  auto& of_name = known_[static_cast<std::size_t>(trace_.events.kind[e])];
  if (of_name.empty()) of_name.resize(trace_.names.size(), not_asked);
  auto& known = of_name[trace_.events.name[e]];
  if (known == not_asked) {
    const auto told = cause_told_by(trace_.events.kind[e], trace_.name_of(e));
    known = told ? static_cast<std::uint8_t>(*told) : silent;
  }
  return known;
}

void host_activity::index_tracks() {
  if (indexed_) return;
  indexed_ = true;
  for (track_id i = 0; i < trace_.tracks.size(); ++i) {
    const auto& t = trace_.tracks[i];
    if (t.kind == track_kind::thread || t.kind == track_kind::python)
      tracks_of_[{t.process, t.thread}].push_back(i);
    if (t.kind == track_kind::thread && t.count > 0 && trace_.events.kind[t.first] == category::overhead &&
        trace_.processes[t.process].id < 0)
      ownerless_.push_back(i);
  }
}

// The thread's own tracks, and tracks without a process, where old profilers put their overhead.
std::vector<host_activity::source> host_activity::sources_of(track_id thread) {
  std::vector<source> found;
  if (thread == none) return found;
  index_tracks();
  const auto& mine = trace_.tracks[thread];
  std::vector<track_id> all;
  std::ranges::set_union(tracks_of_[{mine.process, mine.thread}], ownerless_, std::back_inserter(all));
  for (const auto i : all)
    found.push_back({trace_.tracks[i].first, trace_.tracks[i].first + trace_.tracks[i].count});
  return found;
}

told_ranges host_activity::during(track_id thread, std::span<const time_range> ranges) {
  teller tell(ranges);
  auto sources = sources_of(thread);
  const auto& starts = trace_.events.start_ns;
  while (!tell.done()) {
    source* first = nullptr;
    for (auto& s : sources) {
      if (s.next != s.end && (first == nullptr || starts[s.next] < starts[first->next])) first = &s;
    }
    if (first == nullptr) break;
    const auto e = first->next++;
    const auto end = trace_.events.end_ns(e);
    if (tell.over(end)) continue;
    const auto cause = activity(e);
    if (cause == silent) continue;
    tell.advance(starts[e]);
    if (!tell.done()) tell.open(e, end, cause);
  }
  tell.advance(forever);
  return std::move(tell).result();
}

}  // namespace ridge::trace
