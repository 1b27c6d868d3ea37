// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "host_pieces.hpp"
#include "thread_sweep.hpp"

namespace ridge::trace {
namespace {

// A wait shorter than this is not told from plain work.
constexpr nanoseconds still_from_ns = 20'000;

// When a thread stood still (one innermost event, or none), and when it did anything at all.
struct thread_times {
  std::vector<time_range> still{};
  std::vector<time_range> busy{};
};

class times_reader {
 public:
  times_reader(const trace& t, thread_times& into) : t_(t), into_(into) {}
  void opened(event_id) {}
  void closed(event_id) {}
  void stretch(nanoseconds from, nanoseconds to, event_id innermost) {
    const bool call = innermost != none && class_of_host(t_, innermost) == path_class::api_call;
    if (to - from >= still_from_ns && !call) into_.still.push_back({from, to});
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

// What a thread did within a stretch, when it did nothing across the stretch's edges; else empty.
std::span<const time_range> within(const std::vector<time_range>& busy, time_range stretch) {
  const auto first = std::ranges::upper_bound(busy, stretch.start_ns, {}, &time_range::end_ns);
  auto last = first;
  while (last != busy.end() && last->start_ns < stretch.end_ns) ++last;
  if (first == last || first->start_ns < stretch.start_ns || std::prev(last)->end_ns > stretch.end_ns)
    return {};
  return {first, last};
}

handover cut_for(path_pieces& in, std::uint32_t waits, std::uint32_t works, std::span<const time_range> burst,
                 nanoseconds idle_since) {
  const auto from = burst.front().start_ns, to = burst.back().end_ns;
  return {.waiting = in.cut(waits, from, to),
          .begins = in.cut(works, idle_since, from),
          .ends = in.cut(works, to, to)};
}

bool overlaps(time_range a, time_range b) { return a.start_ns < b.end_ns && b.start_ns < a.end_ns; }

}  // namespace

std::vector<handover> find_handovers(const trace& t, path_pieces& in) {
  std::vector<handover> found;
  if (in.threads.size() < 2) return found;
  const auto times = times_of(t, in);
  std::vector<bool> works(in.threads.size());
  for (std::size_t i = 0; i < works.size(); ++i) works[i] = in.threads[i].takes_part;
  for (std::uint32_t a = 0; a < times.size(); ++a) {
    for (const auto still : times[a].still) {
      if (!overlaps(still, in.window)) continue;
      for (std::uint32_t b = 0; b < times.size(); ++b) {
        if (a == b || !works[b] || in.threads[a].process != in.threads[b].process) continue;
        const auto burst = within(times[b].busy, still);
        if (burst.empty()) continue;
        const auto first = burst.data() == times[b].busy.data();
        const auto idle_since = first ? burst.front().start_ns : std::prev(burst.data())->end_ns;
        found.push_back(cut_for(in, a, b, burst, idle_since));
        in.threads[a].takes_part = true;
      }
    }
  }
  return found;
}

}  // namespace ridge::trace
