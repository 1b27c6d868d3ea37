// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <ridge/base/splitmix.hpp>

namespace ridge::harness {

// Which arms take part in a round, and in which order: a random permutation in even rounds, its mirror in the
// odd round that follows, so that a steady drift cancels between the two. All arms are treated alike.
class rotation {
 public:
  rotation(std::size_t arms, std::uint64_t seed) : active_(arms, true), random_(seed) {}

  // Arms leave and enter with the next even round.
  void leave(std::size_t arm) { active_[arm] = false; }
  void enter(std::size_t arm) { active_[arm] = true; }
  [[nodiscard]] bool active(std::size_t arm) const { return active_[arm]; }

  // The order of the round; rounds come one after the other. Every eighth pair of rounds has the arms that
  // left as well.
  [[nodiscard]] std::vector<std::size_t> order(std::uint64_t round) {
    if (round % 2 == 1) {
      std::ranges::reverse(last_);
      return last_;
    }
    last_.clear();
    for (std::size_t arm = 0; arm < active_.size(); ++arm) {
      if (active_[arm] || round % 16 == 0) last_.push_back(arm);
    }
    for (std::size_t i = last_.size(); i > 1; --i) std::swap(last_[i - 1], last_[random_.below(i)]);
    return last_;
  }

 private:
  std::vector<bool> active_;
  splitmix_generator random_;
  std::vector<std::size_t> last_{};
};

}  // namespace ridge::harness
