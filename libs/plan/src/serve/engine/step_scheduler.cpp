// SPDX-License-Identifier: Apache-2.0
#include "step_scheduler.hpp"

namespace ridge::plan::serve {

step_scheduler::step_scheduler(engine_context& context, live_requests& live, kv_blocks& blocks,
                               lockstep_decoder& decoder, admission& admission, step_draft& draft)
    : context_(&context),
      live_(&live),
      blocks_(&blocks),
      decoder_(&decoder),
      admission_(&admission),
      draft_(&draft),
      walk_(context, live, blocks, decoder, admission, draft) {}

bool step_scheduler::schedule(double now_s) {
  draft_->begin();
  serve(now_s);
  return !draft_->chunks().empty() || (draft_->decodes && draft_->idle_decodes != decoder_->sequences());
}

void step_scheduler::decode() {
  if (!draft_->decodes) return;
  if (draft_->walked) walk_.settle();
  decoder_->step();
}

void step_scheduler::serve(double now_s) {
  switch (context_->settings.scheduler) {
    case scheduler_kind::sglang:
      return serve_sglang(now_s);
    case scheduler_kind::static_batching:
      return serve_static_batch(now_s);
    case scheduler_kind::vllm_v1:
    case scheduler_kind::trtllm_inflight:
    case scheduler_kind::trtllm_no_evict:
      serve_running(now_s);
      if (!draft_->preempted) admission_->admit(now_s);
  }
}

void step_scheduler::serve_sglang(double now_s) {
  draft_->compute_prompts();
  admission_->admit(now_s);
  if (draft_->chunks().empty()) serve_decodes(now_s);
}

void step_scheduler::serve_static_batch(double now_s) {
  if (live_->running() == 0) admission_->admit_batch(now_s);
  draft_->compute_prompts();
  if (live_->prefilling().empty() && draft_->chunks().empty()) serve_decodes(now_s);
  admission_->set_blocked(live_->running() > 0);
}

void step_scheduler::serve_running(double now_s) {
  if (!decodes_alone() && !everyone_fits()) {
    walk_.serve(now_s);
    return;
  }
  draft_->decodes = decoder_->sequences() > 0;
  if (draft_->decodes) {
    decoder_->take_blocks_due();
    draft_->spend(static_cast<std::uint32_t>(decoder_->sequences()));
  }
  draft_->compute_prompts();
}

void step_scheduler::serve_decodes(double now_s) {
  if (context_->settings.speculative.tokens > 0 || decoder_->blocks_due() > blocks_->free()) {
    walk_.serve(now_s);
    return;
  }
  draft_->decodes = decoder_->sequences() > 0;
  if (draft_->decodes) decoder_->take_blocks_due();
}

// What almost every step finds: no running request computes its prompt, and all that decode get their token.
bool step_scheduler::decodes_alone() const {
  return live_->prefilling().empty() && context_->settings.speculative.tokens == 0 &&
         decoder_->sequences() <= context_->settings.max_batched_tokens &&
         (decoder_->sequences() == 0 || decoder_->blocks_due() <= blocks_->free());
}

// Whether budget and blocks suffice for all running requests, so that their order does not matter. The budget
// may cut the chunk of the last running prompt.
bool step_scheduler::everyone_fits() const {
  const auto most = context_->settings.max_batched_tokens;
  if (context_->settings.speculative.tokens > 0 || decoder_->sequences() > most) return false;
  auto budget = most - static_cast<std::uint32_t>(decoder_->sequences());
  std::uint64_t blocks = decoder_->sequences() > 0 ? decoder_->blocks_due() : 0;
  for (const auto slot : live_->prefilling()) {
    const auto& live = (*live_)[slot];
    const auto tokens = draft_->prompt_share(live, budget);
    if (tokens < draft_->prompt_share(live, most) && slot != live_->last_running()) return false;
    budget -= tokens;
    blocks += context_->blocks_for(live.computed + tokens) - context_->blocks_for(live.computed);
  }
  return blocks <= blocks_->free();
}

}  // namespace ridge::plan::serve
