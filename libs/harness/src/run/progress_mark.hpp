// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace ridge::harness {

// What a family's process does at the moment, in memory that it shares with its parent: so that the parent
// can say where it ended, and that it does not come to an end.
struct progress_mark {
  enum class stage : std::uint8_t { verification, set_up, timing, recheck, audit };
  static constexpr int no_variant = -1;
  std::atomic<stage> now{stage::set_up};
  std::atomic<int> variant{no_variant};  // index in the definition of the variant whose code ran last
  std::atomic<bool> runs{false};         // whether its code runs
  std::atomic<std::uint64_t> steps{0};   // how often code of variants has begun and ended
  std::atomic<double> longest_s{0};      // the longest that code of a variant was seen to run
  std::atomic<bool> complete{false};     // whether the family has its results
  std::atomic<bool> lost{false};         // a fault took the GPU's context away
  std::atomic<bool> in_block{false};     // samples of several variants follow each other without a look
  std::atomic<bool> one_by_one{false};   // asked for by the parent: look after every sample

  std::atomic<bool> stop{false};  // asked for by the parent: come to an end with what there is

  // Says that the code of a variant runs in this stage.
  void enter(stage at_work, std::size_t index) {
    now.store(at_work, std::memory_order_relaxed);
    in_block.store(false, std::memory_order_relaxed);
    variant.store(static_cast<int>(index), std::memory_order_relaxed);
    // In this order: who sees that it runs sees the step as well.
    steps.fetch_add(1, std::memory_order_relaxed);
    runs.store(true, std::memory_order_release);
  }
  // Says that it runs no longer.
  void leave() {
    runs.store(false, std::memory_order_relaxed);
    steps.fetch_add(1, std::memory_order_relaxed);
  }
  // Says that code of a variant ran for so many seconds.
  void took(double seconds) {
    longest_s.store(std::max(seconds, longest_s.load(std::memory_order_relaxed)), std::memory_order_relaxed);
  }
  // Says that no variant's code has run yet.
  void clear() {
    variant.store(no_variant, std::memory_order_relaxed);
    lost.store(false, std::memory_order_relaxed);
    in_block.store(false, std::memory_order_relaxed);
    runs.store(false, std::memory_order_relaxed);
    longest_s.store(0, std::memory_order_relaxed);
    complete.store(false, std::memory_order_relaxed);
  }
};

// Marks the code of a variant as running until it is destroyed; does nothing without a mark.
class variant_at_work {
 public:
  variant_at_work(progress_mark* mark, progress_mark::stage stage, std::size_t variant) : mark_(mark) {
    if (mark_) mark_->enter(stage, variant);
  }
  ~variant_at_work() {
    if (mark_) mark_->leave();
  }
  variant_at_work(const variant_at_work&) = delete;
  variant_at_work& operator=(const variant_at_work&) = delete;

 private:
  progress_mark* mark_;
};

// "while it was timed", "while it was set up".
[[nodiscard]] const char* text(progress_mark::stage stage);

}  // namespace ridge::harness
