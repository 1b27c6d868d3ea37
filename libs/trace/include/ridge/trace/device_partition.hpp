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
  std::uint64_t works = 0;  // that touch the window

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

  [[nodiscard]] nanoseconds busy_ns() const { return window.length_ns() - idle_ns; }
  // 100 x part / window; 0 for an empty window.
  [[nodiscard]] double percent(nanoseconds part_ns) const;
  // 100 x communication_under_compute / communication; empty: there was no communication.
  [[nodiscard]] std::optional<double> overlap_percent() const;
  friend bool operator==(const device_partition&, const device_partition&) = default;
};

// Each device that did work, ascending; over `window`, or over the device's own span (first start to last
// end). `classes` as classes_of gives them. An empty window gives zeros.
[[nodiscard]] std::vector<device_partition> partition_devices(const trace& t,
                                                              std::span<const work_class> classes,
                                                              std::optional<time_range> window = {},
                                                              overlong how = overlong::as_recorded);

// The same of one device, over each of `windows` (disjoint, ascending): its steps. One sweep for all.
[[nodiscard]] std::vector<device_partition> partition_windows(const trace& t,
                                                              std::span<const work_class> classes,
                                                              std::int32_t device,
                                                              std::span<const time_range> windows,
                                                              overlong how = overlong::as_recorded);

}  // namespace ridge::trace
