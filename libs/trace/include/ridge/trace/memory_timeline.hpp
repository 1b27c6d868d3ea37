// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <ridge/trace/interval_set.hpp>
#include <ridge/trace/trace.hpp>

namespace ridge::trace {

// What an allocator held from a moment on.
struct memory_point {
  nanoseconds time_ns = 0;
  std::int64_t allocated = 0;  // bytes
  std::int64_t reserved = -1;  // bytes; -1: not recorded
};

// The allocations of one place in the program that are live at the peak.
struct memory_holder {
  // Innermost operator around the allocation, else the innermost frame; empty where there is none. For
  // operators that only allocate (aten::empty ...) the one around them is named.
  std::string owner{};
  std::string annotation{};  // innermost annotation around it that is not a step
  std::string step{};  // the step in which it was allocated: its annotation, else "step 3" of the steps given
  std::int64_t bytes = 0;
  std::int64_t allocations = 0;
};

// The memory of a device during one step. allocated_at_start and allocated_at_end are recorded at the step's
// edges.
struct memory_step {
  time_range range{};
  std::int64_t allocated_at_start = 0;
  std::int64_t allocated_at_end = 0;
  std::int64_t peak = 0;
  std::int64_t allocations = 0;      // events with bytes > 0
  std::int64_t allocated_bytes = 0;  // their sum
  // Bytes allocated in this step and not released by the end of the next one; for the last step, by its own
  // end.
  std::int64_t unreleased_bytes = 0;
  std::int64_t device_allocations = 0;  // calls of cudaMalloc, hipMalloc ... for all devices together
  std::int64_t device_frees = 0;
};

// The memory of one device over the trace.
struct memory_of_device {
  std::int32_t device = -1;  // -1: host
  // False where the trace records no totals. Then `allocated` is a lower bound: what was allocated since the
  // trace began, raised so that it is never negative.
  bool totals_told = false;
  // False where the trace records no addresses, so that blocks cannot be followed; live_at_peak,
  // live_before_trace, unmatched_releases and the steps' unreleased_bytes are then not filled.
  bool addresses_told = false;
  std::vector<memory_point> points{};
  memory_point peak_allocated{};                // the first moment at which most is allocated
  std::optional<memory_point> peak_reserved{};  // nullopt: reserved memory is not recorded
  memory_point last{};
  std::vector<memory_holder> live_at_peak{};  // largest first; allocations in the trace only
  std::int64_t live_before_trace = 0;         // bytes at the peak whose allocation the trace does not hold
  std::int64_t unmatched_releases = 0;        // releases of addresses never seen allocated
  std::vector<memory_step> steps{};
  // A leak in bytes per step: the smallest growth of allocated_at_end between steps in the later half of the
  // steps (at least three), where it grew every time.
  std::optional<std::int64_t> growth_per_step{};
  // Reserved minus allocated memory at the peak of allocated memory: in bytes, and in thousandths of
  // reserved.
  std::optional<std::int64_t> fragmented{};
  std::optional<int> fragmented_per_mille{};
  std::optional<std::int64_t> device_bytes{};  // device_facts::memory_bytes, where it is recorded
  bool near_limit = false;  // the peak (reserved, else allocated) is over nine tenths of device_bytes
};

// The memory of all devices.
struct memory_timeline {
  bool told = false;  // false: the trace has no allocator's events; nothing else is filled
  std::vector<memory_of_device> devices{};  // ascending, host first
};

// Returns the memory of all devices. `steps` are step windows in ascending order; without them no step
// figures are made. Of points at equal times the last is kept.
[[nodiscard]] memory_timeline memory_timeline_of(const trace& t, std::span<const time_range> steps = {});

}  // namespace ridge::trace
