// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <ridge/trace/activity.hpp>

namespace ridge::trace {

inline constexpr std::size_t work_class_count = 4;

// The time in which work of two classes ran at once on one device, for each pair of classes. The diagonal
// holds the time in which the class ran at all.
struct overlap_matrix {
  std::int32_t device = 0;
  time_range window{};
  std::array<std::array<nanoseconds, work_class_count>, work_class_count> both_ns{};
  std::array<nanoseconds, work_class_count> alone_ns{};  // nothing of another class ran
  std::array<nanoseconds, work_class_count> twice_ns{};  // two or more of this class ran at once

  // Time in which work of both classes ran.
  [[nodiscard]] nanoseconds both(work_class a, work_class b) const {
    return both_ns[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
  }
};

// Returns one matrix per device that did work, over `window` or the device's own span. `classes` holds one
// class for each of t.works, as classes_of() returns them.
[[nodiscard]] std::vector<overlap_matrix> overlaps_of(const trace& t, std::span<const work_class> classes,
                                                      std::optional<time_range> window = {});

}  // namespace ridge::trace
