// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <vector>

#include <ridge/model/ceiling.hpp>

namespace ridge::backends::probe_host {

// How often a thread had to give up its CPU, as it reports from time to time.
class turned_out final {
 public:
  void tell();
  [[nodiscard]] long read() const { return count_.load(std::memory_order_relaxed); }

 private:
  alignas(64) std::atomic<long> count_{0};
};

// The work of threads in one stretch of time after another.
struct window {
  double rate = 0;
  long turned_out = 0;  // involuntary switches of all threads until its end
};

// Sets the value and interval and, where the machine was busy, a note and mark. The value is the median of
// the windows in which no thread lost its CPU, nor in the next one (a thread reports it later); the fastest
// window where fewer than six are left. Needs six windows or more beside the last one.
void set_rate(model::ceiling& row, const std::vector<window>& windows);

}  // namespace ridge::backends::probe_host
