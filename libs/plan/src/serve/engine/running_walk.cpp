// SPDX-License-Identifier: Apache-2.0
#include "running_walk.hpp"

#include <algorithm>
#include <tuple>

#include "serve/mixed_bits.hpp"

namespace ridge::plan::serve {

running_walk::running_walk(engine_context& context, live_requests& live, kv_blocks& blocks,
                           lockstep_decoder& decoder, admission& admission, step_draft& draft)
    : context_(&context),
      live_(&live),
      blocks_(&blocks),
      decoder_(&decoder),
      admission_(&admission),
      draft_(&draft) {}

void running_walk::serve(double now_s) {
  ++walks_;
  draft_->walked = true;
  const bool takes_prompts = context_->settings.scheduler != scheduler_kind::sglang;
  for (auto slot = live_->first_running(); slot != no_slot && draft_->budget() > 0;) {
    const auto is = (*live_)[slot].is;
    const bool goes_on = is == phase::decoding                      ? serve_decode(slot, now_s)
                         : is == phase::prefilling && takes_prompts ? serve_prompt(slot, now_s)
                                                                    : true;
    if (!goes_on) break;
    slot = (*live_)[slot].after;
  }
  draft_->decodes = decoder_->sequences() > 0;
}

bool running_walk::serve_decode(std::uint32_t slot, double now_s) {
  auto& live = (*live_)[slot];
  const auto computed = static_cast<std::uint32_t>(decoder_->computed(live));
  const auto tokens =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(drawn_tokens(live), decoder_->remaining(live)));
  if (!make_room(slot, context_->blocks_for(computed + tokens) - context_->blocks_for(computed), now_s))
    return false;
  blocks_->extend(slot, computed, computed + tokens);
  live.served = walks_;
  live.accepted = tokens;
  draft_->spend(std::min(draft_->budget(), 1 + context_->settings.speculative.tokens));
  return true;
}

bool running_walk::serve_prompt(std::uint32_t slot, double now_s) {
  const auto tokens = draft_->prompt_share((*live_)[slot], draft_->budget());
  const auto computed = (*live_)[slot].computed;
  if (!make_room(slot, context_->blocks_for(computed + tokens) - context_->blocks_for(computed), now_s))
    return false;
  (*live_)[slot].served = walks_;
  draft_->compute_prompt(slot, tokens);
  return true;
}

bool running_walk::make_room(std::uint32_t slot, std::uint32_t blocks, double now_s) {
  while (blocks_->free() < blocks) {
    const auto gone = victim();
    preempt(gone, now_s);
    if (gone == slot) return false;
  }
  return true;
}

// The request that gives up its blocks: the last admitted (vLLM, TensorRT-LLM), the one of lowest priority,
// or the one with the fewest tokens produced (SGLang, managers/schedule_batch.py: retract_decode).
std::uint32_t running_walk::victim() const {
  auto worst = live_->last_running();
  const auto& settings = context_->settings;
  const auto& requests = *context_->requests;
  if (!settings.priorities && settings.scheduler != scheduler_kind::sglang) return worst;
  const auto badness = [&](std::uint32_t slot) {
    const auto& live = (*live_)[slot];
    if (settings.priorities)
      return std::tuple{static_cast<double>(requests.priority(live.id)), requests.arrival_s(live.id),
                        live.id};
    const bool decodes = live.is == phase::decoding;
    const auto left = decodes ? decoder_->remaining(live) : 0;
    const auto given = decodes ? context_->outputs_here(live.id) - left : live.generated;
    return std::tuple{-static_cast<double>(given), static_cast<double>(requests.input_tokens(live.id)),
                      live.id};
  };
  for (auto slot = live_->first_running(); slot != no_slot; slot = (*live_)[slot].after)
    worst = badness(slot) > badness(worst) ? slot : worst;
  return worst;
}

void running_walk::preempt(std::uint32_t slot, double now_s) {
  auto& live = (*live_)[slot];
  draft_->preempted = true;
  admission_->set_blocked(false);
  ++context_->counts.preemptions;
  live_->remove_running(slot);
  if (live.is == phase::ending) {  // the step that produces its last token is in flight
    blocks_->release(slot, false);
    return;
  }
  withdraw(slot);
  blocks_->release(slot, true);
  live.computed = 0;
  live.loaded = false;
  live.target = context_->requests->input_tokens(live.id) + live.generated;
  context_->queued_tokens += live.target;
  live.is = phase::waiting;
  admission_->wait_again(slot);
  context_->tell(now_s, live.id, engine_event_kind::preempted);
}

// Removes a request from the decoder or the prompts, and from the step that is being scheduled.
void running_walk::withdraw(std::uint32_t slot) {
  auto& live = (*live_)[slot];
  if (live.is != phase::decoding) {
    draft_->withdraw(slot);
    live_->stop_prefilling(slot);
    context_->queued_tokens -= live.target - live.computed;
    return;
  }
  decoder_->leave(slot);
  if (live.served == walks_) {
    live.computed += live.accepted;  // their blocks were taken, but they are not computed
    draft_->refund(1 + context_->settings.speculative.tokens);
  }
}

void running_walk::settle() {
  for (auto slot = live_->first_running(); slot != no_slot; slot = (*live_)[slot].after) {
    const auto& live = (*live_)[slot];
    if (live.is != phase::decoding) continue;
    if (live.served != walks_) {
      ++draft_->idle_decodes;
      decoder_->shift(slot, -1);
      draft_->idle_context += decoder_->computed(live) + 1;
    } else if (live.accepted > 1) {
      draft_->extra_tokens += live.accepted - 1;
      decoder_->shift(slot, static_cast<std::int64_t>(live.accepted) - 1);
    }
  }
}

// One token plus the accepted drafts: each is accepted with the same probability, up to the first that is
// not.
std::uint32_t running_walk::drawn_tokens(const live_request& live) const {
  const auto& speculative = context_->settings.speculative;
  std::uint32_t tokens = 1;
  if (speculative.tokens == 0) return tokens;
  const auto place = static_cast<std::uint64_t>(decoder_->computed(live));
  const auto bits = mixed_bits(mixed_bits(context_->settings.seed, live.id), place);
  const auto uniform = static_cast<double>(bits >> 11U) * 0x1p-53;
  auto chance = speculative.acceptance;
  while (tokens <= speculative.tokens && uniform < chance) {
    chance *= speculative.acceptance;
    ++tokens;
  }
  return tokens;
}

}  // namespace ridge::plan::serve
