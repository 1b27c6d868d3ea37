// SPDX-License-Identifier: Apache-2.0
#include "memory/allocations.hpp"

#include <algorithm>

#include "critical_path/host_pieces.hpp"
#include "events/thread_sweep.hpp"

namespace ridge::trace {
namespace {

struct question {
  nanoseconds time_ns = 0;
  std::size_t index = 0;
};

// Answers the questions of one thread, which ascend in time, while its events are walked.
class surroundings_reader {
 public:
  surroundings_reader(const trace& t, std::span<const question> asked, std::vector<surroundings>& answers)
      : t_(t), asked_(asked), answers_(answers) {}
  void opened(event_id e) { open_.push_back(e); }
  void closed(event_id) { open_.pop_back(); }
  void stretch(nanoseconds start_ns, nanoseconds end_ns, event_id) {
    while (next_ < asked_.size() && asked_[next_].time_ns < start_ns) ++next_;
    for (; next_ < asked_.size() && asked_[next_].time_ns < end_ns; ++next_)
      answers_[asked_[next_].index] = now();
  }

 private:
  [[nodiscard]] surroundings now() const {
    surroundings s;
    event_id frame = none, allocator = none;
    for (auto at = open_.rbegin(); at != open_.rend(); ++at) {
      const auto kind = t_.events.kind[*at];
      if (t_.name_of(*at).starts_with("ProfilerStep"))
        keep(s.step, *at);
      else if (kind == category::op)
        keep(only_allocates(*at) ? allocator : s.owner, *at);
      else if (kind == category::annotation)
        keep(s.annotation, *at);
      else if (kind == category::python)
        keep(frame, *at);
    }
    keep(s.owner, allocator != none ? allocator : frame);
    return s;
  }
  static void keep(event_id& innermost, event_id e) {
    if (innermost == none) innermost = e;
  }
  [[nodiscard]] bool only_allocates(event_id e) const {
    const auto op = t_.name_of(e);
    return op.starts_with("aten::empty") || op.starts_with("aten::resize_") || op == "aten::zeros" ||
           op == "aten::ones";
  }
  const trace& t_;
  std::span<const question> asked_;
  std::vector<surroundings>& answers_;
  std::vector<event_id> open_{};
  std::size_t next_ = 0;
};

}  // namespace

paired_allocations pair_allocations(std::span<const memory_event* const> events) {
  paired_allocations paired;
  std::unordered_map<std::uint64_t, std::size_t> live;
  for (const auto* e : events) {
    const auto at = live.find(e->address);
    if (at != live.end()) {
      paired.blocks[at->second].released_ns = e->time_ns;
      live.erase(at);
    } else if (e->bytes < 0) {
      ++paired.unmatched_releases;
    }
    if (e->bytes <= 0) continue;
    live.emplace(e->address, paired.blocks.size());
    paired.blocks.push_back({.made = e});
  }
  return paired;
}

std::vector<surroundings> surroundings_of(const trace& t, std::span<const memory_event* const> events) {
  std::vector<surroundings> found(events.size());
  path_pieces in;
  find_threads(t, in);
  std::vector<std::vector<question>> asked(in.threads.size());
  for (std::size_t i = 0; i < events.size(); ++i) {
    const auto thread = events[i]->track == none ? none : in.thread_of_track[events[i]->track];
    if (thread != none) asked[thread].push_back({events[i]->time_ns, i});
  }
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (asked[i].empty()) continue;
    std::ranges::sort(asked[i], {}, &question::time_ns);
    surroundings_reader to(t, asked[i], found);
    thread_sweep sweep(t, in.threads[i].tracks, to);
    sweep.run(asked[i].back().time_ns + 1);
  }
  return found;
}

}  // namespace ridge::trace
