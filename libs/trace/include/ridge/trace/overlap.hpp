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

// For each pair of classes the time in which work of both ran on one device. On the diagonal stands the time
// in which the class ran at all.
struct overlap_matrix {
  std::int32_t device = 0;
  time_range window{};
  std::array<std::array<nanoseconds, work_class_count>, work_class_count> both_ns{};
  std::array<nanoseconds, work_class_count> alone_ns{};  // nothing of another class ran
  std::array<nanoseconds, work_class_count> twice_ns{};  // two or more of this class ran at once

  [[nodiscard]] nanoseconds both(work_class a, work_class b) const {
    return both_ns[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
  }
};

// Each device that did work, over `window` or its own span.
[[nodiscard]] std::vector<overlap_matrix> overlaps_of(const trace& t, std::span<const work_class> classes,
                                                      std::optional<time_range> window = {});

}  // namespace ridge::trace
