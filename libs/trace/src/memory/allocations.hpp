// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include <ridge/trace/memory_timeline.hpp>

namespace ridge::trace {

inline constexpr nanoseconds never = INT64_MAX;

// One block of memory: its allocation, and when it was released.
struct allocation {
  const memory_event* made = nullptr;
  nanoseconds released_ns = never;
};

// Allocations of a device, paired with their releases by address. A block whose address is allocated again
// counts as released then, because its release was not recorded.
struct paired_allocations {
  std::vector<allocation> blocks{};  // by time
  std::int64_t unmatched_releases = 0;
};
[[nodiscard]] paired_allocations pair_allocations(std::span<const memory_event* const> events);

// What surrounds an allocation on its thread.
struct surroundings {
  event_id owner = none;       // innermost operator, else frame
  event_id annotation = none;  // innermost annotation that is no step
  event_id step = none;        // annotation of a step
};
// Returns one for each of `events`.
[[nodiscard]] std::vector<surroundings> surroundings_of(const trace& t,
                                                        std::span<const memory_event* const> events);

}  // namespace ridge::trace
