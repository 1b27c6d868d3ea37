// SPDX-License-Identifier: Apache-2.0
#include "run/watched_child.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include <fmt/format.h>

#include <ridge/harness/session.hpp>

namespace ridge::harness {
namespace {

constexpr double stops_within_s = 1.5;
constexpr double last_steps_s = 0.4, late_at_most_s = 0.3;  // of what times, before its deadline and after it
constexpr double longest_times = 20;  // code that ran so long before may run so many times as long

// Whether there may be results when it is told to stop.
bool in_session(const progress_mark& mark) {
  const auto stage = mark.now.load();
  return stage == progress_mark::stage::timing || stage == progress_mark::stage::recheck;
}

class stall_watch {
 public:
  stall_watch(const progress_mark& mark, const child_limits& limits) : mark_(mark), limits_(limits) {}
  [[nodiscard]] bool goes_on() {
    const double now = monotonic_seconds();
    const bool runs = mark_.runs.load();  // before the steps, which its code has counted up by then
    const auto steps = mark_.steps.load();
    const bool begun = mark_.variant.load() != progress_mark::no_variant;
    if (!begun || steps != steps_) {
      steps_ = steps;
      since_ = now;
      return true;
    }
    const double limit_s = runs ? running_limit_s() : limits_.between_calls_s;
    if (now - since_ < limit_s) return true;
    broken_s_ = limit_s;
    return false;
  }
  // The limit that was broken; 0: none.
  [[nodiscard]] double broken_s() const { return broken_s_; }

 private:
  [[nodiscard]] double running_limit_s() const {
    if (limits_.call_s > 0) return limits_.call_s;
    const double longest_s = mark_.longest_s.load();
    return std::max(in_session(mark_) && longest_s > 0 ? limits_.timed_stall_s : limits_.stall_s,
                    longest_times * longest_s);
  }
  const progress_mark& mark_;
  const child_limits& limits_;
  std::uint64_t steps_ = 0;
  double since_ = monotonic_seconds(), broken_s_ = 0;
};

}  // namespace

child_result<std::string> in_watched_child(const std::function<std::string()>& work,
                                           const child_limits& limits, progress_mark& mark) {
  stall_watch stalls(mark, limits);
  double stop_at_s = std::numeric_limits<double>::infinity();
  bool late = false;
  const auto may_go_on = [&] {
    const double to_go_s = limits.deadline_s - monotonic_seconds();
    if (!mark.stop && to_go_s <= (in_session(mark) ? last_steps_s : 0)) {
      mark.stop = late = true;
      stop_at_s = limits.deadline_s + (in_session(mark) ? late_at_most_s : 0);
    }
    if (!mark.stop && limits.stop_requested && limits.stop_requested()) {
      mark.stop = true;
      stop_at_s = monotonic_seconds() + stops_within_s;
    }
    return monotonic_seconds() < stop_at_s && stalls.goes_on();
  };
  auto seen = in_child<std::string>(work, limits.whole_s, may_go_on);
  if (!seen && mark.stop) seen.why = late ? "had no more time" : "was interrupted";
  if (stalls.broken_s() > 0) {
    seen.why = fmt::format("did not end within {:.3g} s", stalls.broken_s());
    seen.failure = model::failure_kind::timed_out;
  }
  return seen;
}

}  // namespace ridge::harness
