// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace ridge::plan::serve {

// The next time of each of a fixed number of sources, the earliest on top; ties go to the lowest number. A
// tournament tree: each node holds the earlier time of the two below it, so that a change replays one path
// without the branches of a heap, which are predicted wrongly half of the time.
class event_tournament {
 public:
  explicit event_tournament(std::size_t sources)
      : leaves_(std::bit_ceil(std::max<std::size_t>(sources, 1))),
        times_(2 * leaves_, std::numeric_limits<double>::infinity()) {}
  [[nodiscard]] double top_s() const { return times_[1]; }
  [[nodiscard]] std::uint32_t top() const {
    std::size_t n = 1;
    while (n < leaves_) n = 2 * n + (times_[2 * n] > times_[1] ? 1 : 0);
    return static_cast<std::uint32_t>(n - leaves_);
  }
  [[nodiscard]] double at(std::uint32_t source) const { return times_[leaves_ + source]; }
  void set(std::uint32_t source, double time_s) {
    times_[leaves_ + source] = time_s;
    for (auto n = (leaves_ + source) / 2; n > 0; n /= 2)
      times_[n] = std::min(times_[2 * n], times_[2 * n + 1]);
  }

 private:
  std::size_t leaves_;
  std::vector<double> times_;  // the root is 1, the children of n are 2n and 2n + 1, the leaves come last
};

}  // namespace ridge::plan::serve
