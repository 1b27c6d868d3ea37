// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "block_pool.hpp"
#include "counted_blocks.hpp"
#include "engine_context.hpp"
#include "live_requests.hpp"

namespace ridge::plan::serve {

// The part of a prompt that admission finds in the caches.
struct cached_prompt {
  std::uint32_t blocks = 0;              // in the GPU's memory
  std::uint32_t tier_blocks = 0;         // after them, in host memory or on disk
  std::uint32_t free_blocks = 0;         // those of `blocks` that no request holds
  std::uint32_t disk_blocks = 0;         // those of `tier_blocks` that only the disk has
  std::uint32_t blocks_before_disk = 0;  // those of `tier_blocks` before the first of them
};

// The blocks of an engine's KV cache, their holders, and the lookup of prompts in them. When prompts may
// share prefixes, blocks have keys; otherwise they are only counted.
class kv_blocks {
 public:
  kv_blocks(const engine_context& context, live_requests& live);

  [[nodiscard]] bool named() const { return named_; }
  [[nodiscard]] std::uint32_t free() const { return named_ ? pool_.free() : counted_.free(); }
  // Takes blocks for the tokens [first, last); full blocks can be found by other requests at once.
  void extend(std::uint32_t slot, std::uint32_t first, std::uint32_t last);
  // Takes blocks from a cache in which they are only counted.
  void take_counted(std::uint32_t blocks) { counted_.take(blocks); }
  // Releases the blocks of a request. `keeps_list`: a preempted request may find them again.
  void release(std::uint32_t slot, bool keeps_list);
  // Forgets the list that was kept for a request.
  void forget(std::uint32_t slot);
  void clear();

  // The leading blocks of a prompt that need not be computed. One token is always computed for its logits, so
  // a prompt that is cached to its end recomputes its last block (vLLM, get_computed_blocks).
  [[nodiscard]] cached_prompt look_up(std::uint32_t slot);
  // Gives the request the blocks that look_up() has just found.
  void attach(std::uint32_t slot, const cached_prompt& cached);
  // Tokens at the start of a prompt that are in the GPU's cache.
  [[nodiscard]] std::uint32_t prefix_overlap(request_id request) const;

 private:
  [[nodiscard]] std::uint64_t shared_key(request_id request, std::uint32_t block) const;  // 0: unknown
  [[nodiscard]] std::uint64_t private_key(request_id request, std::uint32_t block) const;
  [[nodiscard]] std::uint32_t cached_block(const live_request& live, std::uint32_t block) const;
  void add_tier_blocks(const live_request& live, std::uint32_t limit, cached_prompt& cached) const;
  void name_last(live_request& live);
  void name_own(live_request& live);

  const engine_context* context_;
  live_requests* live_;
  bool named_;
  block_pool pool_;                    // used when blocks have keys
  counted_blocks counted_;             // used when they are only counted
  std::vector<std::uint32_t> hits_{};  // blocks of the prompt that was looked up
  std::vector<std::uint32_t> own_{};   // blocks that the request had before it was preempted
};

}  // namespace ridge::plan::serve
