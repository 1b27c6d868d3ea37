// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "critical_path/host_pieces.hpp"
#include "events/thread_sweep.hpp"

namespace ridge::trace {
namespace {

// A shorter wait cannot be distinguished from plain work.
constexpr nanoseconds still_from_ns = 20'000;

// The times at which a thread was in one long event, in none, and in any.
struct thread_times {
  std::vector<time_range> still{};    // below one event
  std::vector<time_range> without{};  // below none
  std::vector<time_range> busy{};
};

class times_reader {
 public:
  times_reader(const trace& t, thread_times& times) : t_(t), times_(times) {}
  void opened(event_id) {}
  void closed(event_id) {}
  void stretch(nanoseconds start_ns, nanoseconds end_ns, event_id innermost) {
    const bool call = innermost != none && class_of_host(t_, innermost) == path_class::api_call;
    if (end_ns - start_ns >= still_from_ns && !call)
      (innermost == none ? times_.without : times_.still).push_back({start_ns, end_ns});
    if (innermost == none) return;
    if (!times_.busy.empty() && times_.busy.back().end_ns == start_ns)
      times_.busy.back().end_ns = end_ns;
    else
      times_.busy.push_back({start_ns, end_ns});
  }

 private:
  const trace& t_;
  thread_times& times_;
};

std::vector<thread_times> times_of(const trace& t, const path_pieces& pieces) {
  std::vector<thread_times> all(pieces.threads.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    times_reader to(t, all[i]);
    thread_sweep sweep(t, pieces.threads[i].tracks, to);
    sweep.run(pieces.window.end_ns);
  }
  return all;
}

// Returns what a thread did within a stretch in which another one waited: from idleness to the last event
// that it finished there. Empty when it was working as the stretch began, or works for less than half of the
// stretch: then nothing shows that the two belong together.
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

handover cut_for(path_pieces& pieces, std::uint32_t waits, std::uint32_t works,
                 std::span<const time_range> burst, nanoseconds idle_since) {
  const auto from = burst.front().start_ns, to = burst.back().end_ns;
  return {.waiting = pieces.cut(waits, from, to),
          .begins = pieces.cut(works, idle_since, from),
          .ends = pieces.cut(works, to, to)};
}

nanoseconds idle_before(const std::vector<time_range>& busy, std::span<const time_range> burst) {
  return burst.data() == busy.data() ? burst.front().start_ns : std::prev(burst.data())->end_ns;
}

bool overlaps(time_range a, time_range b) { return a.start_ns < b.end_ns && b.start_ns < a.end_ns; }

}  // namespace

std::vector<handover> find_handovers(const trace& t, path_pieces& pieces) {
  std::vector<handover> found;
  if (pieces.threads.size() < 2) return found;
  const auto times = times_of(t, pieces);
  std::vector<bool> works(pieces.threads.size());
  for (std::size_t i = 0; i < works.size(); ++i) works[i] = pieces.threads[i].takes_part;
  const auto look = [&](std::uint32_t a, time_range still) {
    if (!overlaps(still, pieces.window)) return;
    for (std::uint32_t b = 0; b < times.size(); ++b) {
      if (a == b || !works[b] || pieces.threads[a].process != pieces.threads[b].process) continue;
      const auto burst = taken_over(times[b].busy, still);
      if (burst.empty()) continue;
      found.push_back(cut_for(pieces, a, b, burst, idle_before(times[b].busy, burst)));
      pieces.threads[a].takes_part = true;
    }
  };
  for (std::uint32_t a = 0; a < times.size(); ++a) {
    for (const auto still : times[a].still) look(a, still);
    // Every thread has gaps; they mean something only for threads that launch work themselves.
    for (const auto still : works[a] ? std::span(times[a].without) : std::span<const time_range>())
      look(a, still);
  }
  return found;
}

}  // namespace ridge::trace
