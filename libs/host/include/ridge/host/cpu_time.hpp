// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ridge::host {

// Processor time in seconds.
struct cpu_use {
  double this_thread_s = 0;
  double other_threads_s = 0;  // of this process, ended ones included
};

// Returns the processor time that this process has used so far. The two clocks behind it cannot be read at
// once: differences have errors of either sign, about a microsecond.
[[nodiscard]] cpu_use cpu_used_so_far();

// Returns what was used between two such readings.
[[nodiscard]] constexpr cpu_use operator-(const cpu_use& later, const cpu_use& earlier) {
  return {later.this_thread_s - earlier.this_thread_s, later.other_threads_s - earlier.other_threads_s};
}

}  // namespace ridge::host
