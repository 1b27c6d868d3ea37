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
// tournament tree: each node holds the earlier of the two below it, so that a change replays one path without
// a branch that could be predicted wrongly, as those of a heap are.
class event_tournament {
 public:
  explicit event_tournament(std::size_t sources)
      : leaves_(std::bit_ceil(std::max<std::size_t>(sources, 1))), nodes_(2 * leaves_) {
    for (std::size_t i = 0; i < leaves_; ++i) nodes_[leaves_ + i].source = static_cast<std::uint32_t>(i);
    for (auto n = leaves_ - 1; n > 0; --n) nodes_[n] = winner_below(n);
  }
  [[nodiscard]] double top_s() const { return nodes_[1].at_s; }
  [[nodiscard]] std::uint32_t top() const { return nodes_[1].source; }
  [[nodiscard]] double at(std::uint32_t source) const { return nodes_[leaves_ + source].at_s; }
  void set(std::uint32_t source, double time_s) {
    nodes_[leaves_ + source].at_s = time_s;
    for (auto n = (leaves_ + source) / 2; n > 0; n /= 2) nodes_[n] = winner_below(n);
  }

 private:
  struct entry {
    double at_s = std::numeric_limits<double>::infinity();
    std::uint32_t source = 0;
  };
  [[nodiscard]] const entry& winner_below(std::size_t n) const {
    const std::size_t right_is_earlier = nodes_[2 * n + 1].at_s < nodes_[2 * n].at_s ? 1 : 0;
    return nodes_[2 * n + right_is_earlier];
  }
  std::size_t leaves_;
  std::vector<entry> nodes_;  // the root is 1, the children of n are 2n and 2n + 1
};

}  // namespace ridge::plan::serve
