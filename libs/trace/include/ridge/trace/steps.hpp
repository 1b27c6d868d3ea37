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

// What a trace's steps were told by.
enum class step_source : std::uint8_t {
  unknown,        // no steps found
  profiler_step,  // "ProfilerStep#12"
  numbered,       // ranges that the user numbered: "step 12", "iteration_3", "train/12"
  periodic,       // the annotation that repeats under one name and covers most time
};

[[nodiscard]] std::string_view name(step_source s);

struct step {
  std::int64_t number = 0;  // as the annotation says; counted from 0 where it says none
  time_range window{};      // of the annotation on its host thread
  event_id event = none;    // the annotation
  bool first = false;       // of the trace: may hold warm-up
  bool last = false;        // of the trace: may be cut by the end of the recording
};

struct step_windows {
  step_source source = step_source::unknown;
  std::string annotation{};   // "ProfilerStep#", "step ", "forward"
  track_id track = none;      // the thread whose annotations these are
  std::vector<step> steps{};  // ascending, disjoint

  // Steps without the first and the last, when at least one is left; else all.
  [[nodiscard]] std::span<const step> steady() const;
  // The steps' windows.
  [[nodiscard]] std::vector<time_range> windows() const;
};

// Where several threads or names carry steps, ProfilerStep before numbered before periodic, then the one that
// covers most time.
[[nodiscard]] step_windows steps_of(const trace& t);

// First start to last end of the steps; {0, 0} of none.
[[nodiscard]] time_range window_of(std::span<const step> steps);

// What a trace covers when nobody chose: first start to last end of all device work; of all events where
// there is no device work.
[[nodiscard]] time_range whole_window(const trace& t);

}  // namespace ridge::trace
