// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

#include <ridge/plan/serve/request.hpp>

namespace ridge::plan::serve {

// An event outside the engines.
enum class timer_kind : std::uint8_t { arrival, transferred, failure, recovery, warm, scale, sample };

struct cluster_timer {
  double at_s = 0;
  std::uint64_t order = 0;
  timer_kind kind{timer_kind::arrival};
  std::uint32_t subject = 0;  // the request, or the replica
  [[nodiscard]] bool operator>(const cluster_timer& other) const {
    return at_s > other.at_s || (at_s == other.at_s && order > other.order);
  }
};

// Timers in order of time; those of the same time in the order in which they were set.
class cluster_timers {
 public:
  void set(double at_s, timer_kind kind, std::uint32_t subject) {
    queue_.push({at_s, set_++, kind, subject});
  }
  // The time of the first timer; never_s without any.
  [[nodiscard]] double next_s() const { return queue_.empty() ? never_s : queue_.top().at_s; }
  [[nodiscard]] cluster_timer take() {
    const auto first = queue_.top();
    queue_.pop();
    return first;
  }

 private:
  std::priority_queue<cluster_timer, std::vector<cluster_timer>, std::greater<>> queue_{};
  std::uint64_t set_ = 0;
};

}  // namespace ridge::plan::serve
