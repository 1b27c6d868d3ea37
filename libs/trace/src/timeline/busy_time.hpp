// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include <ridge/trace/interval_set.hpp>

namespace ridge::trace {

// A set of times for many queries, each in O(log n).
class busy_time {
 public:
  busy_time() = default;
  explicit busy_time(interval_set busy);

  [[nodiscard]] nanoseconds within(time_range r) const;
  // Returns the time from `t` to the next busy time; nullopt where `t` is busy or nothing follows.
  [[nodiscard]] std::optional<time_range> idle_from(nanoseconds t) const;

 private:
  [[nodiscard]] nanoseconds before(nanoseconds t) const;
  interval_set busy_{};
  std::vector<nanoseconds> ahead_{};  // busy time ahead of each range
};

}  // namespace ridge::trace
