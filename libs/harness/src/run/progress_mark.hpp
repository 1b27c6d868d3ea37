// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

namespace ridge::harness {

// What a family's process does at the moment, in memory that it shares with its parent: so that the parent
// can say where it ended.
struct progress_mark {
  enum class stage : std::uint8_t { verification, set_up, timing, recheck, audit };
  static constexpr int no_variant = -1;
  std::atomic<stage> now{stage::set_up};
  std::atomic<int> variant{no_variant};  // index in the definition of the variant whose code ran last
  std::atomic<std::uint64_t> steps{0};   // how often a variant's code was entered
  std::atomic<bool> lost{false};         // a fault took the GPU's context away
  std::atomic<bool> in_block{false};     // samples of several variants follow each other without a look
  std::atomic<bool> one_by_one{false};   // asked for by the parent: look after every sample

  // Says that the code of a variant runs in this stage.
  void enter(stage at_work, std::size_t index) {
    now.store(at_work, std::memory_order_relaxed);
    in_block.store(false, std::memory_order_relaxed);
    variant.store(static_cast<int>(index), std::memory_order_relaxed);
    steps.fetch_add(1, std::memory_order_relaxed);
  }
  // Says that no variant's code has run yet.
  void clear() {
    variant.store(no_variant, std::memory_order_relaxed);
    lost.store(false, std::memory_order_relaxed);
    in_block.store(false, std::memory_order_relaxed);
  }
};

// "while it was timed", "while it was set up".
[[nodiscard]] const char* text(progress_mark::stage stage);

}  // namespace ridge::harness
