// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <ridge/trace/launches.hpp>

namespace ridge::trace {

// The works of one launch call in one stream.
struct queue_entry {
  std::int32_t device = 0, stream = 0;
  event_id call = none;
  // start of the call; first start and last end of its works
  nanoseconds called_ns = 0, started_ns = 0, ended_ns = 0;
  std::uint32_t works = 0;
};

// Returns the works with a launch in the order of the calls' events, those of one call together.
[[nodiscard]] std::vector<work_id> by_call(const trace& t, std::span<const work_id> works);

// Returns the entries of works that are ordered by call, in the same order.
[[nodiscard]] std::vector<queue_entry> queue_entries(const trace& t, std::span<const work_id> by_call);

// Returns one row per stream, ordered by (device, stream).
[[nodiscard]] std::vector<stream_queue> queues_of(std::span<const queue_entry> entries, std::int64_t limit);

// Returns the largest number of entries launched and not yet ended at one time.
[[nodiscard]] std::int64_t longest_in_flight(std::span<const queue_entry> entries);

}  // namespace ridge::trace
