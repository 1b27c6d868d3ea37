// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "rules/rules.hpp"

// Works of a device by the operators that launched them, and what changing them would save.
namespace ridge::trace {

// What starting and ending a kernel costs: none is shorter.
constexpr nanoseconds kernel_start_ns = 2'000;

// A set of a device's works in its window.
struct op_works {
  std::vector<work_id> works{};  // ascending
  nanoseconds time_ns = 0;       // sum of their durations
  std::uint64_t calls = 0;       // operators that launched them
  event_id longest = none;       // the operator with most of the time
};

// Returns the works that some operator launched for which `wanted` holds: the innermost on the work's path,
// or one above it. The operator is told as event.
[[nodiscard]] op_works works_under(const evidence& e, const device_evidence& d,
                                   const std::function<bool(event_id)>& wanted);
// Returns the works for which `wanted` holds.
[[nodiscard]] op_works works_where(const evidence& e, const device_evidence& d,
                                   const std::function<bool(const device_work&)>& wanted);

// What would become of some works.
struct work_change {
  op_works works{};
  std::function<double(work_id)> factor{};  // of their duration, 0..1
  bool launched_no_more = false;            // their launches cost the host nothing
  bool waited_no_more = false;              // the host does not wait for them
};
// Returns the nanoseconds of the window that the change saves: by a replay of the host's line, or the sum of
// what the works lose where the line is not known.
[[nodiscard]] nanoseconds saved_by(const device_evidence& d, const trace& t, const work_change& change);

// Returns a candidate about these works: claims what the change saves, of their time and of the idle time
// before them.
[[nodiscard]] candidate about_works(const evidence& e, const device_evidence& d, const work_change& change,
                                    std::string_view label);

// Returns whether an operator copies a tensor into one of another type.
[[nodiscard]] bool changes_type(const trace& t, event_id op);

// Returns the time that one call of an operator can be expected to take on a device with known peaks: what
// good kernels reach of the roof, and the start of a kernel. 0 where the peaks are not known.
[[nodiscard]] nanoseconds expected_ns(const op_model& model, const device_peaks& peaks);

}  // namespace ridge::trace
