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

// Whether a duration that cannot be true is believed (flag_covers_successors: a profiler's overflow).
enum class overlong : std::uint8_t {
  as_recorded,
  clipped,  // such work ends where the next work of its own stream starts
};

// What ran on a device from `start_ns` until the next change. `runs` has bit c set while work of class c
// runs, and bit c + 4 while two or more of that class do; 0: the device was idle.
struct activity_change {
  nanoseconds start_ns = 0;
  std::uint8_t runs = 0;

  [[nodiscard]] bool ran(work_class c) const { return (runs >> static_cast<int>(c) & 1) != 0; }
  [[nodiscard]] bool ran_twice(work_class c) const { return (runs >> (static_cast<int>(c) + 4) & 1) != 0; }
  friend bool operator==(const activity_change&, const activity_change&) = default;
};

// The classes of work that ran on one device, over time: what the partition, the overlap matrix and the idle
// gaps are read from. One sweep, O(n log n).
struct device_activity {
  std::int32_t device = 0;
  time_range span{};                       // first start to last end; {0, 0} for a device that did nothing
  std::vector<activity_change> changes{};  // ascending, each differs from the one before; the last is idle
};

// `classes` as classes_of gives them: one for each of t.works.
[[nodiscard]] device_activity activity_of(const trace& t, std::span<const work_class> classes,
                                          std::int32_t device, overlong how = overlong::as_recorded);

// The end of each of t.works (same order), those that are flagged as overlong clipped to the next start in
// their own stream.
[[nodiscard]] std::vector<nanoseconds> believed_ends(const trace& t);

}  // namespace ridge::trace
