// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <vector>

#include <ridge/model/ceiling.hpp>

namespace ridge::backends::probe_host {

// How often a thread had to give up its CPU, as it tells from time to time.
class turned_out final {
 public:
  void tell();
  [[nodiscard]] long read() const { return count_.load(std::memory_order_relaxed); }

 private:
  alignas(64) std::atomic<long> count_{0};
};

// What threads did in one stretch of time after another.
struct window {
  double rate = 0;
  long turned_out = 0;  // in all so far, of all threads, at its end
};

// Sets value, interval and, where the machine was busy, note and mark: the median of the windows in which no
// thread was turned out, nor in the next (who is, tells later); where fewer than six are left, the fastest.
// Six windows or more beside the last one.
void set_rate(model::ceiling& row, const std::vector<window>& windows);

}  // namespace ridge::backends::probe_host
