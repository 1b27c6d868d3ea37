// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <ridge/trace/interval_set.hpp>
#include <ridge/trace/trace.hpp>

namespace ridge::trace {

// A longest range without work on a device, before it is cut to a window.
struct bare_gap {
  time_range range{};
  work_id before = none;  // the work that ended last; `none`: nothing ran yet
  work_id next = none;    // `none`: nothing follows
};

// Returns the gaps of a device that reach into the window, ordered by time. The gap before the first work
// begins with the window; the one after the last work ends with it.
[[nodiscard]] std::vector<bare_gap> gaps_of(const trace& t, std::int32_t device, time_range window);

// Returns the synchronization records that make a stream wait for an event, on all devices.
[[nodiscard]] std::vector<event_id> stream_wait_records(const trace& t);

// Where streams of one device were told to wait for events.
class event_waits {
 public:
  // `records` are those of the trace that make streams wait: stream_wait_records().
  event_waits(const trace& t, std::span<const event_id> records, std::int32_t device);
  // The last record that made this work's stream wait, after the launch of the stream's work before it and no
  // later than its own launch; `none`: there is none.
  [[nodiscard]] event_id before(work_id w) const;

 private:
  struct wait {
    std::int32_t stream = 0;
    nanoseconds at_ns = 0;
    event_id record = none;
  };
  [[nodiscard]] nanoseconds launch_before(work_id w) const;
  const trace& trace_;
  std::int32_t device_;
  std::vector<wait> waits_{};  // ordered by (stream, time)
};

}  // namespace ridge::trace
