// SPDX-License-Identifier: Apache-2.0
#include "step_draft.hpp"

#include <algorithm>

namespace ridge::plan::serve {

void step_draft::begin() {
  chunks_.clear();
  preempted = decodes = walked = false;
  idle_decodes = idle_context = extra_tokens = adapter_loads = 0;
  budget_ = context_->settings.max_batched_tokens;
}

std::uint32_t step_draft::prompt_share(const live_request& live, std::uint32_t budget) const {
  auto tokens = live.target - live.computed;
  if (context_->settings.long_prefill_tokens > 0)
    tokens = std::min(tokens, context_->settings.long_prefill_tokens);
  return std::min(tokens, budget);
}

void step_draft::compute_prompt(std::uint32_t slot, std::uint32_t tokens) {
  auto& live = (*live_)[slot];
  blocks_->extend(slot, live.computed, live.computed + tokens);
  chunks_.push_back({slot, tokens, live.computed});
  live.computed += tokens;
  budget_ -= tokens;
  context_->queued_tokens -= tokens;
}

void step_draft::compute_prompts() {
  for (const auto slot : live_->prefilling()) {
    const auto& live = (*live_)[slot];
    const auto tokens = prompt_share(live, budget_);
    const auto blocks = context_->blocks_for(live.computed + tokens) - context_->blocks_for(live.computed);
    if (tokens == 0 || blocks > blocks_->free()) return;
    compute_prompt(slot, tokens);
  }
}

void step_draft::withdraw(std::uint32_t slot) {
  const auto found = std::ranges::find(chunks_, slot, &prompt_chunk::slot);
  if (found == chunks_.end()) return;
  budget_ += found->tokens;
  chunks_.erase(found);
}

}  // namespace ridge::plan::serve
