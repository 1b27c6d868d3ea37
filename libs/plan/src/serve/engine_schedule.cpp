// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "engine_state.hpp"

namespace ridge::plan::serve {

bool engine::state::schedule(double now_s) {
  chunks_.clear();
  preempted_ = decodes_ = walked_ = false;
  idle_decodes_ = idle_context_ = extra_tokens_ = 0;
  budget_ = settings.max_batched_tokens;
  serve(now_s);
  if (chunks_.empty() && (!decodes_ || idle_decodes_ == decoding_)) {
    return false;
  }
  close_step(now_s);
  return true;
}

// Who computes in this step, by the engine's rule.
void engine::state::serve(double now_s) {
  switch (settings.scheduler) {
    case scheduler_kind::sglang:
      serve_prompts();
      admit(now_s);
      if (chunks_.empty()) {
        serve_decodes(now_s);
      }
      return;
    case scheduler_kind::static_batching:
      if (running_ == 0) {
        admit_batch(now_s);
      }
      serve_prompts();
      if (prefilling_.empty() && chunks_.empty()) {
        serve_decodes(now_s);
      }
      blocked_ = running_ > 0;
      return;
    case scheduler_kind::vllm_v1:
    case scheduler_kind::trtllm_inflight:
    case scheduler_kind::trtllm_no_evict:
      serve_running(now_s);
      if (!preempted_) {
        admit(now_s);
      }
  }
}

void engine::state::serve_running(double now_s) {
  if (!everyone_fits()) {
    walk_running(now_s);
    return;
  }
  decodes_ = decoding_ > 0;
  if (decodes_) {
    take_blocks_of_step();
    budget_ -= static_cast<std::uint32_t>(decoding_);
  }
  serve_prompts();
}

void engine::state::serve_decodes(double now_s) {
  if (settings.speculative.tokens > 0 || phase_count_[decode_steps_ % settings.block_size] > free_blocks()) {
    walk_running(now_s);
    return;
  }
  decodes_ = decoding_ > 0;
  if (decodes_) {
    take_blocks_of_step();
  }
}

// Tokens of its prompt that this step may compute.
std::uint32_t engine::state::prompt_share(const live_request& r, std::uint32_t budget) const {
  auto tokens = r.target - r.computed;
  if (settings.long_prefill_tokens > 0) {
    tokens = std::min(tokens, settings.long_prefill_tokens);
  }
  return std::min(tokens, budget);
}

// Whether budget and blocks are enough for all that runs, so that their order does not matter. One prompt may
// be cut short by the budget where it is the last of the running.
bool engine::state::everyone_fits() const {
  if (settings.speculative.tokens > 0 || decoding_ > settings.max_batched_tokens) {
    return false;
  }
  auto budget = settings.max_batched_tokens - static_cast<std::uint32_t>(decoding_);
  std::uint64_t blocks = decoding_ > 0 ? phase_count_[decode_steps_ % settings.block_size] : 0;
  for (const auto slot : prefilling_) {
    const auto& r = slots_[slot];
    const auto tokens = prompt_share(r, budget);
    if (tokens < prompt_share(r, settings.max_batched_tokens) && slot != last_running_) {
      return false;
    }
    budget -= tokens;
    blocks += blocks_for(r.computed + tokens) - blocks_for(r.computed);
  }
  return blocks <= free_blocks();
}

void engine::state::serve_prompts() {
  for (const auto slot : prefilling_) {
    const auto& r = slots_[slot];
    const auto tokens = prompt_share(r, budget_);
    if (tokens == 0 || blocks_for(r.computed + tokens) - blocks_for(r.computed) > free_blocks()) {
      return;
    }
    compute_prompt(slot, tokens);
  }
}

void engine::state::compute_prompt(std::uint32_t slot, std::uint32_t tokens) {
  auto& r = slots_[slot];
  extend(slot, r.computed, r.computed + tokens);
  chunks_.push_back({slot, tokens, r.computed});
  r.computed += tokens;
  budget_ -= tokens;
  queued_tokens_ -= tokens;
}

}  // namespace ridge::plan::serve
