// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/trace/interval_set.hpp>
#include <ridge/trace/trace.hpp>

namespace ridge::trace {

// What a trace's steps were recognised by.
enum class step_source : std::uint8_t {
  unknown,        // no steps were found
  profiler_step,  // "ProfilerStep#12"
  numbered,       // ranges that the user numbered: "step 12", "iteration_3", "train/12"
  periodic,       // an annotation that repeats under one name; the one that covers most time
};

// Returns the source's name, as reports print it.
[[nodiscard]] std::string_view name(step_source s);

// One step of a program.
struct step {
  std::int64_t number = 0;  // as in the annotation; counted from 0 where it has none
  time_range window{};      // window of the annotation on its host thread
  event_id event = none;    // the annotation
  bool first = false;       // first step of the trace, which may hold warm-up
  bool last = false;        // last step of the trace, which the end of the recording may cut
};

// The steps of a trace.
struct step_windows {
  step_source source = step_source::unknown;
  std::string annotation{};   // "ProfilerStep#", "step ", "forward"
  track_id track = none;      // the thread whose annotations these are
  std::vector<step> steps{};  // ascending, disjoint

  // The steps without the first and the last where at least one is left, else all.
  [[nodiscard]] std::span<const step> steady() const;
  // The steps' windows.
  [[nodiscard]] std::vector<time_range> windows() const;
};

// Returns the steps of a trace. Where several threads or names carry steps, ProfilerStep precedes numbered
// and numbered precedes periodic; among equals the one that covers most time is taken.
[[nodiscard]] step_windows steps_of(const trace& t);

// Returns the time from the first start to the last end of the steps; {0, 0} without steps.
[[nodiscard]] time_range window_of(std::span<const step> steps);

// Returns the default window of a trace: first start to last end of all device work, or of all events where
// there is no device work.
[[nodiscard]] time_range whole_window(const trace& t);

}  // namespace ridge::trace
