// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/trace/host_line.hpp>

namespace ridge::trace {

// How a host differs from the recorded one.
struct replay_change {
  bool without_profiler = false;     // what recording costs is left out
  bool without_loading = false;      // the host is never elsewhere fetching its next batch
  bool without_elsewhere = false;    // nor elsewhere for another reason
  bool without_waits = false;        // it waits for no work
  bool without_preparation = false;  // launches cost it nothing, as in a graph
  // How long works last, as a factor of their recorded time, by index of host_line::works; empty: as
  // recorded.
  std::span<const double> work_factors{};
  // Points whose launches are not made any more cost no host time, by index of host_line::points; empty:
  // none.
  std::span<const std::uint8_t> dropped_points{};
  bool unwaited = false;  // works whose factor is below 1 are not waited for
};

// A window repeated until it is steady.
struct replayed_line {
  nanoseconds period_ns = 0;  // from the end of one repetition's work to the end of the next
  nanoseconds busy_ns = 0;    // sum over works, or less where streams overlap
};

// Replays the line again and again, as a program that repeats this window runs: streams run their works in
// order, a work begins when its launch has arrived and its stream is free, a wait ends with its work. What
// streams wait for among each other is not replayed. Cost: O(points + works) a repetition.
[[nodiscard]] replayed_line replay(const host_line& line, const replay_change& change);

// What the recorded window would take, and what single changes of the host would save, by replays. All in
// nanoseconds of a window that nobody recorded.
struct host_outlook {
  nanoseconds window_ns = 0;       // the window without the profiler's cost
  nanoseconds steady_ns = 0;       // the replayed window, from which savings are counted
  nanoseconds profiler_ns = 0;     // what recording added to it
  nanoseconds loading_ns = 0;      // saved if batches were there when they are needed
  nanoseconds elsewhere_ns = 0;    // saved if the host were nowhere else either
  nanoseconds waits_ns = 0;        // saved if it waited for no work
  nanoseconds preparation_ns = 0;  // saved by launches that cost nothing, with what is above left as it is
  bool known = false;              // whether the line holds launches; else all is 0 but window_ns
};
// Returns what a change saves of the outlook's window, by a replay of its line without the profiler's cost.
[[nodiscard]] nanoseconds saved_ns(const host_line& line, const host_outlook& outlook, replay_change change);
// Returns the outlook of a window of this length, from its line.
[[nodiscard]] host_outlook outlook_of(const host_line& line, nanoseconds window_ns);

}  // namespace ridge::trace
