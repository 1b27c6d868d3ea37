// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <ridge/trace/interval_set.hpp>
#include <ridge/trace/trace.hpp>
#include <ridge/trace/work_class.hpp>

namespace ridge::trace {

// How to treat a work whose recorded duration cannot be true (flag_covers_successors, a profiler's overflow).
enum class overlong : std::uint8_t {
  as_recorded,
  clipped,  // such work ends where the next work of its own stream starts
};

// What ran on a device from `start_ns` until the next change. `runs` has bit c set while work of class c
// runs, and bit c + 4 while two or more of that class do; 0: the device was idle.
struct activity_change {
  nanoseconds start_ns = 0;
  std::uint8_t runs = 0;

  // Returns whether any work of class `c` ran.
  [[nodiscard]] bool ran(work_class c) const { return (runs >> static_cast<int>(c) & 1) != 0; }
  // Returns whether two or more works of class `c` ran at once.
  [[nodiscard]] bool ran_twice(work_class c) const { return (runs >> (static_cast<int>(c) + 4) & 1) != 0; }
  friend bool operator==(const activity_change&, const activity_change&) = default;
};

// The classes of work that ran on one device over time. The partition, the overlap matrix and the idle gaps
// are read from it.
struct device_activity {
  std::int32_t device = 0;
  time_range span{};                       // first start to last end; {0, 0} for a device that did nothing
  std::vector<activity_change> changes{};  // ascending, each differs from the one before; the last is idle
};

// Returns the activity of `device`, found in one sweep in O(n log n). `classes` holds one class for each of
// t.works, as classes_of() returns them.
[[nodiscard]] device_activity activity_of(const trace& t, std::span<const work_class> classes,
                                          std::int32_t device, overlong handling = overlong::as_recorded);

// Returns the end of each of t.works in the same order. The end of a work that is flagged as overlong is
// clipped to the next start in its own stream.
[[nodiscard]] std::vector<nanoseconds> believed_ends(const trace& t);

}  // namespace ridge::trace
