// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <ridge/trace/clock_alignment.hpp>
#include <ridge/trace/critical_path.hpp>

namespace ridge::trace {

// A stretch of the path of several ranks.
struct job_segment {
  std::uint32_t trace = 0;
  time_range range{};      // on the common clock
  path_segment segment{};  // its range is on the trace's own clock
};

// The longest chain of dependent work over several ranks. From a collective the path goes on with the rank
// that came last to it: only its transfer lies on the rank that waited.
struct job_path {
  // On the common clock: from the start of the window of the rank on which the path begins to the last end.
  time_range window{};
  std::vector<job_segment> segments{};    // in order, disjoint, none empty; they tile the window
  path_totals by_class{};                 // sums to the window's length
  std::vector<path_totals> by_trace{};    // one per trace; sums to by_class
  std::uint64_t crossings = 0;            // how often the path goes from one rank to another
  std::vector<std::uint32_t> left_out{};  // traces whose clock nothing relates to the others
};

// Returns the path of the traces that `clocks` relates to each other. `classes` holds the classes of each
// trace's work; `windows` one window per trace, or is empty for whole traces. All traces are held at once.
[[nodiscard]] job_path job_path_of(std::span<const trace> traces,
                                   std::span<const std::vector<work_class>> classes,
                                   const matched_collectives& matched, const clock_alignment& clocks,
                                   std::span<const std::optional<time_range>> windows = {});

}  // namespace ridge::trace
