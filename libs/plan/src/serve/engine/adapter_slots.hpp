// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace ridge::plan::serve {

// The adapters in a GPU's memory: those that admitted requests use, and others until their slot is needed,
// the longest unused first (vLLM, lora/worker_manager.py: a cache with least-recently-used replacement).
class adapter_slots {
 public:
  explicit adapter_slots(std::uint32_t slots) : slots_(slots) {}

  [[nodiscard]] bool any() const { return slots_ > 0; }
  // Different adapters that admitted requests use.
  [[nodiscard]] std::uint32_t active() const { return active_; }
  // Whether a request with this adapter can be admitted: no more are active than there are slots.
  [[nodiscard]] bool can_start(std::uint32_t adapter) const;
  // Admits a request; true: its adapter has to be loaded.
  bool start(std::uint32_t adapter);
  // A request with this adapter leaves.
  void stop(std::uint32_t adapter);
  void clear();

 private:
  struct adapter_state {
    std::uint32_t users = 0;
    bool resident = false;
    std::uint64_t used = 0;  // when its last user left or came
  };
  void evict_oldest();

  std::uint32_t slots_, active_ = 0;
  std::uint64_t clock_ = 0;
  std::vector<adapter_state> adapters_{};   // by number
  std::vector<std::uint32_t> residents_{};  // at most `slots_`
};

}  // namespace ridge::plan::serve
