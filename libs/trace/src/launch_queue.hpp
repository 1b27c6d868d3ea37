// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <ridge/trace/launches.hpp>

namespace ridge::trace {

// One launch call's works in one stream.
struct queue_entry {
  std::int32_t device = 0, stream = 0;
  event_id call = none;
  nanoseconds called_ns = 0, started_ns = 0,
              ended_ns = 0;  // the call's start; first start and last end of its works
  std::uint32_t works = 0;
};

// Entries of the works, ordered by (device, stream, call); works without a launch are left out.
[[nodiscard]] std::vector<queue_entry> queue_entries(const trace& t, const std::vector<work_id>& works);

// One row a stream; `entries` ordered by stream.
[[nodiscard]] std::vector<stream_queue> queues_of(const std::vector<queue_entry>& entries,
                                                  std::int64_t limit);

// The most entries called and not yet ended at one time.
[[nodiscard]] std::int64_t longest_in_flight(const std::vector<queue_entry>& entries);

}  // namespace ridge::trace
