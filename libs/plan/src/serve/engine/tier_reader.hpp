// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/plan/serve/iteration.hpp>

#include "engine_context.hpp"
#include "kv_blocks.hpp"

namespace ridge::plan::serve {

// Reads blocks back from the tiers below the GPU. A load goes on beside the engine's steps, and its request
// waits for it, as with vLLM's offloading connector (vLLM blog, 2026-01-08) and LMCache's async_loading. The
// disk and the host's link serve one load after another; what comes from the disk passes the link as well.
class tier_reader {
 public:
  tier_reader(engine_context& context, const iteration_timer& timer) : context_(&context), timer_(&timer) {}

  // The part of what was found that is loaded: all of it, what comes before the first block on the disk, or
  // nothing, whichever has the prompt of `target` tokens computed soonest on an engine of its own.
  [[nodiscard]] cached_prompt worth_loading(const cached_prompt& found, std::uint32_t target,
                                            double now_s) const;
  // Begins to load; the time at which all blocks are there.
  [[nodiscard]] double load(const cached_prompt& cached, double now_s);
  // Counts a prompt that is admitted, with what was found for it and what of that is loaded.
  void count(const cached_prompt& found, const cached_prompt& loaded, bool first_admission);
  // Ends all loads.
  void clear() { link_free_s_ = disk_free_s_ = 0; }

 private:
  struct ends {
    double link_s = 0, disk_s = 0;
  };
  [[nodiscard]] double bytes_of(std::uint32_t blocks) const;
  [[nodiscard]] ends ends_of(const cached_prompt& cached, double now_s) const;
  [[nodiscard]] double compute_s(std::uint32_t first, std::uint32_t last) const;

  engine_context* context_;
  const iteration_timer* timer_;
  double link_free_s_ = 0, disk_free_s_ = 0;
};

}  // namespace ridge::plan::serve
