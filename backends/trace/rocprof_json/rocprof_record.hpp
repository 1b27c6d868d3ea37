// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include <ridge/trace/json_walk.hpp>

namespace ridge::backends::trace_rocprof_json {

// The numbers of one record of a list of "buffer_records" that a trace keeps. -1: missing, but for those that
// say otherwise.
struct rocprof_record {
  std::int64_t kind = -1, operation = -1;
  std::int64_t correlation = -1;  // "correlation_id": {"internal": ...}
  std::int64_t start = 0, end = -1;
  std::int64_t thread = 0;
  std::int64_t stream = -1, queue = -1;  // handles
  std::int64_t agent = -1, source_agent = -1, destination_agent = -1;
  std::int64_t kernel = -1;
  std::int64_t bytes = 0, group_segment = 0, private_segment = 0;
  std::array<std::int64_t, 3> workgroup{1, 1, 1}, grid{1, 1, 1};
};

// Reads the record whose opening brace is at `position`, numbers only; all else is skipped. Returns the
// position behind it, or nullptr as walks do.
[[nodiscard]] const char* read_record(trace::json_walk& walk, const char* position, rocprof_record& record);

}  // namespace ridge::backends::trace_rocprof_json
