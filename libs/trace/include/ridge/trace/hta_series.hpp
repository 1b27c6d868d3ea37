// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ridge/trace/hta_semantics.hpp>

// The time series of Holistic Trace Analysis, by its definitions (see hta_semantics.hpp). A point is a
// change; the value holds until the next one. Equal times have no fixed order in HTA: here a call comes
// before a work's start, and a copy's end before a copy's start.
namespace ridge::trace {

// A stream's queue after a call added a work, or a work's start took it out.
struct hta_queue_point {
  nanoseconds at_ns = 0;
  std::int64_t process = 0;  // of the stream's track, as in the trace: Kineto writes the device's number
  std::int64_t thread = 0;
  std::int32_t stream = 0;
  std::int64_t length = 0;
};
// Returns the queues of one rank's trace, by stream, then time.
[[nodiscard]] std::vector<hta_queue_point> hta_queue_series(const trace& t, const hta_options& options = {});

// How long a stream's queue held `limit` works or more.
struct hta_full_queue {
  std::int32_t stream = 0;
  nanoseconds full_ns = 0;
  double share = 0;  // of the time from the first to the last start of an event
};
// Returns a row for each stream whose queue was full, by stream.
[[nodiscard]] std::vector<hta_full_queue> hta_full_queues(const trace& t, std::int64_t limit = 1024,
                                                          const hta_options& options = {});

// The sum of the rates of the copies of one kind that run from here on. Rates are kept in single precision,
// so that sums hold to seven digits, and what HTA's doubles leave of zero is not the same.
struct hta_copy_point {
  nanoseconds at_ns = 0;
  std::int64_t process = 0;
  std::string name{};  // "Memcpy DtoH", "Memset"
  double gb_per_s = 0;
};
// Returns the series of one rank's trace, by name, then time.
[[nodiscard]] std::vector<hta_copy_point> hta_copy_series(const trace& t, const hta_options& options = {});

// The starts of a rank's first and last event. HTA counts the times of series from the first start of any
// rank.
struct hta_span {
  nanoseconds first_ns = 0;       // of all events
  nanoseconds first_kept_ns = 0;  // of those that HTA keeps
  nanoseconds last_kept_ns = 0;
};
// Returns the span of a trace; zeros for a trace without events.
[[nodiscard]] hta_span hta_span_of(const trace& t, const hta_options& options = {});

}  // namespace ridge::trace
