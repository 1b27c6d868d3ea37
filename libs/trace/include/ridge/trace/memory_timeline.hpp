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

// What an allocator held after a moment.
struct memory_point {
  nanoseconds time_ns = 0;
  std::int64_t allocated = 0;  // bytes
  std::int64_t reserved = -1;  // -1: not told
};

// Allocations of one place in the program that are live at the peak.
struct memory_holder {
  // Innermost operator around the allocation, else frame; empty: none. Operators that only allocate
  // (aten::empty ...) give way to the one around them.
  std::string owner{};
  std::string annotation{};  // innermost annotation around it that is not a step
  std::string step{};        // the step it was made in: its annotation, else "step 3" of those given
  std::int64_t bytes = 0;
  std::int64_t allocations = 0;
};

// One step of a device's memory. Bytes allocated are those told at the step's edges.
struct memory_step {
  time_range range{};
  std::int64_t allocated_at_start = 0;
  std::int64_t allocated_at_end = 0;
  std::int64_t peak = 0;
  std::int64_t allocations = 0;      // events with bytes > 0
  std::int64_t allocated_bytes = 0;  // their sum
  // Allocated in this step and not released by the end of the next one; of the last step: by its own end.
  std::int64_t unreleased_bytes = 0;
  std::int64_t device_allocations = 0;  // calls of cudaMalloc, hipMalloc ...; not told apart by device
  std::int64_t device_frees = 0;
};

struct memory_of_device {
  std::int32_t device = -1;  // -1: host
  // False: the trace tells no totals. Then `allocated` is what was allocated since its beginning, raised so
  // that it is never negative: a lower bound.
  bool totals_told = false;
  // False: no addresses, so that blocks cannot be followed; live_at_peak, live_before_trace,
  // unmatched_releases and the steps' unreleased_bytes are not filled.
  bool addresses_told = false;
  std::vector<memory_point> points{};
  memory_point peak_allocated{};                // first moment of the most allocated
  std::optional<memory_point> peak_reserved{};  // none: reserved is not told
  memory_point last{};
  std::vector<memory_holder> live_at_peak{};  // largest first; of events in the trace
  std::int64_t live_before_trace = 0;         // bytes at the peak whose allocation the trace does not hold
  std::int64_t unmatched_releases = 0;        // releases of addresses never seen allocated
  std::vector<memory_step> steps{};
  // A leak: least growth of allocated_at_end from step to step over the later half of the steps (three at
  // least), where it grew every time.
  std::optional<std::int64_t> growth_per_step{};
  // At the peak of allocated memory: reserved - allocated, in bytes, and as its share of reserved.
  std::optional<std::int64_t> fragmented{};
  std::optional<int> fragmented_per_mille{};
  std::optional<std::int64_t> device_bytes{};  // device_facts.memory_bytes, when told
  bool near_limit = false;  // the peak (reserved, else allocated) is over nine tenths of device_bytes
};

struct memory_timeline {
  bool told = false;  // false: the trace has no allocator's events; nothing else is filled
  std::vector<memory_of_device> devices{};  // ascending, host first
};

// `steps`: step windows, ascending; empty: no per-step figures. Points of equal time keep the last.
[[nodiscard]] memory_timeline memory_timeline_of(const trace& t, std::span<const time_range> steps = {});

}  // namespace ridge::trace
