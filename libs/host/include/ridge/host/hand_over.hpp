// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

namespace ridge::host {

// Passes a few numbered slots from one producing thread to one consuming thread and back, in order, without a
// lock. A side that has to wait spins for some microseconds, then sleeps. Either side may stop both.
class hand_over {
 public:
  // Makes a hand-over of this many slots, all free.
  explicit hand_over(std::uint32_t slots) : slots_(slots) {}

  // The producer calls these in order: it waits for a free slot, fills the slot numbered free_slot(), and
  // publishes it. The wait returns false when the other side has stopped.
  [[nodiscard]] bool wait_for_free() {
    const auto filled = filled_.load(std::memory_order_relaxed);
    return wait_while(drained_, [&](std::uint32_t drained) { return filled - drained == slots_; }) &&
           (filled & stop_bit) == 0;
  }
  // Returns the number of the slot that the producer fills next.
  [[nodiscard]] std::uint32_t free_slot() const { return filled_.load(std::memory_order_relaxed) % slots_; }
  // Hands the filled slot to the consumer.
  void publish() { advance(filled_); }

  // The consumer calls these in order: it waits for a filled slot, uses the slot numbered filled_slot(), and
  // gives it back. The wait returns false when the other side has stopped.
  [[nodiscard]] bool wait_for_filled() {
    const auto drained = drained_.load(std::memory_order_relaxed);
    return wait_while(filled_, [&](std::uint32_t filled) { return filled == drained; }) &&
           (drained & stop_bit) == 0;
  }
  // Returns the number of the slot that the consumer uses next.
  [[nodiscard]] std::uint32_t filled_slot() const {
    return drained_.load(std::memory_order_relaxed) % slots_;
  }
  // Frees the slot for the producer.
  void give_back() { advance(drained_); }

  // Makes both waits return false from now on. The side that fails calls this.
  void stop() {
    for (auto* count : {&filled_, &drained_}) {
      count->fetch_or(stop_bit, std::memory_order_release);
      count->notify_all();
    }
  }
  // Starts again at slot 0 with all slots free. Call it only while no thread uses the hand-over.
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
  // Guards this hand-over until done() is called or the scope ends.
  explicit stop_on_failure(hand_over& guarded) : guarded_(guarded) {}
  ~stop_on_failure() {
    if (!done_) guarded_.stop();
  }
  stop_on_failure(const stop_on_failure&) = delete;
  stop_on_failure& operator=(const stop_on_failure&) = delete;
  // States that the scope succeeded: the hand-over is not stopped.
  void done() { done_ = true; }

 private:
  hand_over& guarded_;
  bool done_ = false;
};

}  // namespace ridge::host
