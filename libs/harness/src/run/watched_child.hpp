// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <limits>
#include <string>

#include "child/in_child.hpp"
#include "run/progress_mark.hpp"

namespace ridge::harness {

// When a child that runs variants is ended, in seconds.
struct child_limits {
  double whole_s = 900;
  // Code of one variant may run for so long, or for 20 times as long as it was seen to run before.
  double stall_s = 60;
  // While it is timed this holds instead of `stall_s`, for it was seen to run before.
  double timed_stall_s = 15;
  double call_s = 0;  // above 0: instead of both, whatever was seen
  // The harness may do other work for so long without a step of the mark, once code of a variant was entered.
  double between_calls_s = std::numeric_limits<double>::infinity();
  // The reading of monotonic_seconds() at which the child has to have come to its end. Where it times, the
  // mark tells it to stop 0.4 s before, and it is ended 0.3 s after; before that it has no results and is
  // ended at this time.
  double deadline_s = std::numeric_limits<double>::infinity();
  // Asked all the time: once it says yes, the mark tells the child to stop, and it has 1.5 s to do so. Empty:
  // nobody stops it.
  std::function<bool()> stop_requested{};
};

// Does what in_child does, and ends the child as well when `mark`, which it shares, shows no progress within
// the limits, or it does not stop when it is told to: "did not end within 60 s" names the limit that it
// broke, "was interrupted" says that it was stopped, "had no more time" that its deadline was reached.
[[nodiscard]] child_result<std::string> in_watched_child(const std::function<std::string()>& work,
                                                         const child_limits& limits, progress_mark& mark);

}  // namespace ridge::harness
