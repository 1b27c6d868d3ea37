// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <ridge/trace/activity.hpp>

namespace ridge::trace {

// Where a window of a device's time went. Each nanosecond is in exactly one of four states, the first that
// holds: compute (kernels that are no communication, and fills), exposed communication, exposed copies, idle:
//   compute + exposed_communication + exposed_copy + idle == window length.
// Totals are unions over time: two kernels side by side count once.
struct device_partition {
  std::int32_t device = 0;
  time_range window{};
  std::uint64_t works = 0;  // works that touch the window

  nanoseconds compute_ns = 0;
  nanoseconds exposed_communication_ns = 0;  // no compute ran
  nanoseconds exposed_copy_ns = 0;           // neither compute nor communication ran
  nanoseconds idle_ns = 0;

  nanoseconds fill_only_ns = 0;  // part of compute_ns: fills ran, no compute kernel
  nanoseconds communication_ns = 0;
  nanoseconds copy_ns = 0;
  nanoseconds communication_under_compute_ns = 0;  // communication_ns - exposed_communication_ns

  // Busy time with durations that cannot be true clipped (overlong::clipped); empty: all are believed. The
  // fields above take durations as recorded unless the partition was asked for with clipped ones.
  std::optional<nanoseconds> clipped_busy_ns{};

  // Time in which any work ran.
  [[nodiscard]] nanoseconds busy_ns() const { return window.length_ns() - idle_ns; }
  // Returns 100 x part_ns / window; 0 for an empty window.
  [[nodiscard]] double percent(nanoseconds part_ns) const;
  // Returns 100 x communication_under_compute / communication; nullopt where there was no communication.
  [[nodiscard]] std::optional<double> overlap_percent() const;
  friend bool operator==(const device_partition&, const device_partition&) = default;
};

// Returns one partition per device that did work, ascending, over `window` or over the device's own span
// (first start to last end). `classes` holds one class for each of t.works, as classes_of() returns them. An
// empty window gives zeros.
[[nodiscard]] std::vector<device_partition> partition_devices(const trace& t,
                                                              std::span<const work_class> classes,
                                                              std::optional<time_range> window = {},
                                                              overlong handling = overlong::as_recorded);

// Returns the partition of one device over each of `windows`, which are disjoint and ascending (the steps,
// for example). One sweep serves all windows.
[[nodiscard]] std::vector<device_partition> partition_windows(const trace& t,
                                                              std::span<const work_class> classes,
                                                              std::int32_t device,
                                                              std::span<const time_range> windows,
                                                              overlong handling = overlong::as_recorded);

}  // namespace ridge::trace
