// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "critical_path/host_pieces.hpp"
#include "events/thread_sweep.hpp"

namespace ridge::trace {
namespace {

// A wait shorter than this is not told from plain work.
constexpr nanoseconds still_from_ns = 20'000;

// When a thread stood still, and when it did anything at all.
struct thread_times {
  std::vector<time_range> still{};    // below one event
  std::vector<time_range> without{};  // below none
  std::vector<time_range> busy{};
};

class times_reader {
 public:
  times_reader(const trace& t, thread_times& into) : t_(t), into_(into) {}
  void opened(event_id) {}
  void closed(event_id) {}
  void stretch(nanoseconds from, nanoseconds to, event_id innermost) {
    const bool call = innermost != none && class_of_host(t_, innermost) == path_class::api_call;
    if (to - from >= still_from_ns && !call)
      (innermost == none ? into_.without : into_.still).push_back({from, to});
    if (innermost == none) return;
    if (!into_.busy.empty() && into_.busy.back().end_ns == from)
      into_.busy.back().end_ns = to;
    else
      into_.busy.push_back({from, to});
  }

 private:
  const trace& t_;
  thread_times& into_;
};

std::vector<thread_times> times_of(const trace& t, const path_pieces& in) {
  std::vector<thread_times> all(in.threads.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    times_reader to(t, all[i]);
    thread_sweep sweep(t, in.threads[i].tracks, to);
    sweep.run(in.window.end_ns);
  }
  return all;
}

// What a thread did within a stretch that another one stood still in: from idleness to the last thing it
// finished there. Empty when it was at work as the stretch began, or for less than half of it: then the two
// have nothing to do with each other, as far as one can see.
std::span<const time_range> taken_over(const std::vector<time_range>& busy, time_range stretch) {
  const auto first = std::ranges::upper_bound(busy, stretch.start_ns, {}, &time_range::end_ns);
  auto last = first;
  while (last != busy.end() && last->end_ns <= stretch.end_ns) ++last;
  if (first == last || first->start_ns < stretch.start_ns) return {};
  const auto idle_since = first == busy.begin() ? stretch.start_ns - still_from_ns : std::prev(first)->end_ns;
  const auto length = std::prev(last)->end_ns - first->start_ns;
  if (first->start_ns - idle_since < still_from_ns || length < stretch.length_ns() / 2) return {};
  return {first, last};
}

handover cut_for(path_pieces& in, std::uint32_t waits, std::uint32_t works, std::span<const time_range> burst,
                 nanoseconds idle_since) {
  const auto from = burst.front().start_ns, to = burst.back().end_ns;
  return {.waiting = in.cut(waits, from, to),
          .begins = in.cut(works, idle_since, from),
          .ends = in.cut(works, to, to)};
}

nanoseconds idle_before(const std::vector<time_range>& busy, std::span<const time_range> burst) {
  return burst.data() == busy.data() ? burst.front().start_ns : std::prev(burst.data())->end_ns;
}

bool overlaps(time_range a, time_range b) { return a.start_ns < b.end_ns && b.start_ns < a.end_ns; }

}  // namespace

std::vector<handover> find_handovers(const trace& t, path_pieces& in) {
  std::vector<handover> found;
  if (in.threads.size() < 2) return found;
  const auto times = times_of(t, in);
  std::vector<bool> works(in.threads.size());
  for (std::size_t i = 0; i < works.size(); ++i) works[i] = in.threads[i].takes_part;
  const auto look = [&](std::uint32_t a, time_range still) {
    if (!overlaps(still, in.window)) return;
    for (std::uint32_t b = 0; b < times.size(); ++b) {
      if (a == b || !works[b] || in.threads[a].process != in.threads[b].process) continue;
      const auto burst = taken_over(times[b].busy, still);
      if (burst.empty()) continue;
      found.push_back(cut_for(in, a, b, burst, idle_before(times[b].busy, burst)));
      in.threads[a].takes_part = true;
    }
  };
  for (std::uint32_t a = 0; a < times.size(); ++a) {
    for (const auto still : times[a].still) look(a, still);
    // Gaps are everywhere: they tell something of threads only that launch work themselves.
    for (const auto still : works[a] ? std::span(times[a].without) : std::span<const time_range>())
      look(a, still);
  }
  return found;
}

}  // namespace ridge::trace
