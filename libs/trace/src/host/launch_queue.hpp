// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
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

// Works with a launch, those of one call together, in the order of the calls' events.
[[nodiscard]] std::vector<work_id> by_call(const trace& t, std::span<const work_id> works);

// The entries of works ordered by call, in the same order.
[[nodiscard]] std::vector<queue_entry> queue_entries(const trace& t, std::span<const work_id> by_call);

// One row a stream, ordered by (device, stream).
[[nodiscard]] std::vector<stream_queue> queues_of(std::span<const queue_entry> entries, std::int64_t limit);

// The most entries called and not yet ended at one time.
[[nodiscard]] std::int64_t longest_in_flight(std::span<const queue_entry> entries);

}  // namespace ridge::trace
