// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace ridge::trace {

struct measured_run {
  double open_s = 0;  // time to read the file and build the trace
  double open_cpu_s =
      0;  // of open_s, what the CPU spent on it: on a busy machine, what it would be on a calm one
  double summary_s = 0;  // time to make what `ridge trace FILE` shows
  std::uint64_t events = 0;
  std::uint64_t content_bytes = 0;
  std::int64_t open_bytes = 0;     // peak resident memory when the trace was built
  std::int64_t summary_bytes = 0;  // peak resident memory after the summary
};

// Measures reading a trace in a process of its own, on one CPU, without the cache. Exits the program where
// that fails.
[[nodiscard]] measured_run run_once(const std::string& path, int processors);

}  // namespace ridge::trace
