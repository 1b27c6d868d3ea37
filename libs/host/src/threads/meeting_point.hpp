// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

namespace ridge::host {

// Waits until `word` differs from `old`: spins some tens of microseconds, then sleeps in the kernel.
void wait_for_change(const std::atomic<std::uint32_t>& word, std::uint32_t old);

// A barrier for a fixed number of threads, which can be used again at once.
class meeting_point final {
 public:
  explicit meeting_point(std::uint32_t threads) : threads_(threads) {}
  // Returns when all threads have arrived. What each wrote before is visible to all afterwards.
  void arrive_and_wait();

 private:
  std::uint32_t threads_;
  alignas(64) std::atomic<std::uint32_t> arrived_{0};
  alignas(64) std::atomic<std::uint32_t> round_{0};
};

}  // namespace ridge::host
