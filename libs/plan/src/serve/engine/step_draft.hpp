// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "engine_context.hpp"
#include "kv_blocks.hpp"
#include "live_requests.hpp"

namespace ridge::plan::serve {

// A part of one prompt that a step computes.
struct prompt_chunk {
  std::uint32_t slot = 0, tokens = 0;
  std::uint32_t context = 0;  // its tokens that were in the cache before
};

// The step that is being scheduled: its chunks of prompts, the rest of its token budget, and the decoding
// sequences that do not take part.
class step_draft {
 public:
  step_draft(engine_context& context, live_requests& live, kv_blocks& blocks)
      : context_(&context), live_(&live), blocks_(&blocks) {}

  // An empty step with the whole budget.
  void begin();
  [[nodiscard]] std::uint32_t budget() const { return budget_; }
  void spend(std::uint32_t tokens) { budget_ -= tokens; }
  void refund(std::uint32_t tokens) { budget_ += tokens; }

  [[nodiscard]] const std::vector<prompt_chunk>& chunks() const { return chunks_; }
  // Tokens of its prompt that this step may compute within `budget`.
  [[nodiscard]] std::uint32_t prompt_share(const live_request& live, std::uint32_t budget) const;
  // Adds a chunk whose blocks are known to be free.
  void compute_prompt(std::uint32_t slot, std::uint32_t tokens);
  // Adds chunks of all requests that compute their prompts, in order, until budget or blocks are used up.
  void compute_prompts();
  // Removes the chunk of a request, if there is one.
  void withdraw(std::uint32_t slot);

  bool decodes = false;            // whether sequences decode in this step
  bool walked = false;             // whether running requests were scheduled one by one
  bool preempted = false;          // whether a request was preempted
  std::int64_t idle_decodes = 0;   // decoding sequences that do not take part
  std::int64_t idle_context = 0;   // their tokens in the cache
  std::int64_t extra_tokens = 0;   // tokens of accepted drafts
  std::int64_t adapter_loads = 0;  // adapters that are loaded before it computes

 private:
  engine_context* context_;
  live_requests* live_;
  kv_blocks* blocks_;
  std::vector<prompt_chunk> chunks_{};
  std::uint32_t budget_ = 0;
};

}  // namespace ridge::plan::serve
