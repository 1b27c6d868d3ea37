// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

namespace ridge::host {

// Passes a few numbered slots from one producing thread to one consuming thread and back, in order, without a
// lock. A side that has to wait spins for some microseconds, then sleeps. Either side may stop both.
class hand_over {
 public:
  explicit hand_over(std::uint32_t slots) : slots_(slots) {}

  // Producer: waits for a free slot, fills it, publishes it. False: the other side has stopped.
  [[nodiscard]] bool wait_for_free() {
    const auto filled = filled_.load(std::memory_order_relaxed);
    return wait_while(drained_, [&](std::uint32_t drained) { return filled - drained == slots_; }) &&
           (filled & stop_bit) == 0;
  }
  [[nodiscard]] std::uint32_t free_slot() const { return filled_.load(std::memory_order_relaxed) % slots_; }
  void publish() { advance(filled_); }

  // Consumer: waits for a filled slot, uses it, gives it back. False: the other side has stopped.
  [[nodiscard]] bool wait_for_filled() {
    const auto drained = drained_.load(std::memory_order_relaxed);
    return wait_while(filled_, [&](std::uint32_t filled) { return filled == drained; }) &&
           (drained & stop_bit) == 0;
  }
  [[nodiscard]] std::uint32_t filled_slot() const {
    return drained_.load(std::memory_order_relaxed) % slots_;
  }
  void give_back() { advance(drained_); }

  // Both waits return false from now on: for the side that fails.
  void stop() {
    for (auto* count : {&filled_, &drained_}) {
      count->fetch_or(stop_bit, std::memory_order_release);
      count->notify_all();
    }
  }
  // Only while no thread uses it; begins again at slot 0.
  void reset() {
    filled_.store(0, std::memory_order_relaxed);
    drained_.store(0, std::memory_order_relaxed);
  }

 private:
  static constexpr std::uint32_t stop_bit = std::uint32_t{1} << 31;
  static constexpr int spins = 2000;

  static void advance(std::atomic<std::uint32_t>& count) {
    count.fetch_add(1, std::memory_order_release);
    count.notify_one();
  }
  static void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  template <class Blocked>
  static bool wait_while(std::atomic<std::uint32_t>& count, Blocked blocked) {
    for (int i = 0; i < spins; ++i) {
      const auto seen = count.load(std::memory_order_acquire);
      if ((seen & stop_bit) != 0) return false;
      if (!blocked(seen)) return true;
      relax();
    }
    for (;;) {
      const auto seen = count.load(std::memory_order_acquire);
      if ((seen & stop_bit) != 0) return false;
      if (!blocked(seen)) return true;
      count.wait(seen, std::memory_order_acquire);
    }
  }

  const std::uint32_t slots_;
  alignas(64) std::atomic<std::uint32_t> filled_{0};
  alignas(64) std::atomic<std::uint32_t> drained_{0};
};

// Stops the hand-over when its scope is left by an exception, so that the other side does not wait for ever.
class stop_on_failure {
 public:
  explicit stop_on_failure(hand_over& guarded) : guarded_(guarded) {}
  ~stop_on_failure() {
    if (!done_) guarded_.stop();
  }
  stop_on_failure(const stop_on_failure&) = delete;
  stop_on_failure& operator=(const stop_on_failure&) = delete;
  void done() { done_ = true; }

 private:
  hand_over& guarded_;
  bool done_ = false;
};

}  // namespace ridge::host
