// SPDX-License-Identifier: Apache-2.0
#include "admission.hpp"

#include <algorithm>

namespace ridge::plan::serve {
namespace {

// Waiting requests that one step looks at whose adapter has no slot; vLLM looks at all.
constexpr std::size_t most_passed = 1024;

}  // namespace

admission::admission(engine_context& context, live_requests& live, kv_blocks& blocks,
                     const lockstep_decoder& decoder, step_draft& draft, const iteration_timer& timer)
    : context_(&context),
      live_(&live),
      blocks_(&blocks),
      decoder_(&decoder),
      draft_(&draft),
      tiers_(context, timer),
      waiting_(context.settings.priorities) {}

bool admission::can_never_run(request_id request) const {
  const auto& settings = context_->settings;
  if (context_->blocks_for(std::max(1U, context_->whole_tokens(request))) > settings.blocks) return true;
  const bool whole_prompts =
      !settings.chunked_prefill && settings.scheduler != scheduler_kind::static_batching;
  return whole_prompts && context_->requests->input_tokens(request) > settings.max_batched_tokens;
}

void admission::wait_again(std::uint32_t slot) {
  const auto id = (*live_)[slot].id;
  waiting_.push_front(slot, context_->requests->priority(id), context_->requests->arrival_s(id));
}

void admission::remove(std::uint32_t slot) {
  std::erase(unseen_, slot);
  std::erase_if(loading_, [&](const loading_request& loading) { return loading.slot == slot; });
  (void)waiting_.remove(slot);
}

void admission::clear() {
  waiting_.clear();
  unseen_.clear();
  loading_.clear();
  tiers_.clear();
  blocked_ = false;
}

void admission::take_unseen(double now_s) {
  for (const auto slot : unseen_) {
    const auto id = (*live_)[slot].id;
    blocked_ = blocked_ && !context_->settings.priorities && !waiting_.empty() && !context_->adapters.any();
    waiting_.push_back(slot, context_->requests->priority(id), context_->requests->arrival_s(id));
    if (context_->tells_admissions) context_->tell(now_s, id, engine_event_kind::queued);
  }
  unseen_.clear();
}

void admission::take_loaded(double now_s) {
  std::erase_if(loading_, [&](const loading_request& loading) {
    if (loading.ready_s > now_s) return false;
    live_->start_prefilling(loading.slot);
    live_->append_running(loading.slot);
    return true;
  });
}

double admission::next_ready_s() const {
  double first = engine::never_s;
  for (const auto& loading : loading_) first = std::min(first, loading.ready_s);
  return first;
}

std::uint32_t admission::waiting() const {
  return waiting_.size() + static_cast<std::uint32_t>(unseen_.size() + loading_.size());
}

void admission::admit(double now_s) {
  while (!blocked_ && !waiting_.empty() && draft_->budget() > 0) {
    if (live_->running() + loading_.size() >= context_->settings.max_sequences) {
      blocked_ = true;
      break;
    }
    if (context_->adapters.any() && lacks_slot(waiting_.front())) {
      passed_.push_back(waiting_.front());
      waiting_.pop_front();
      blocked_ = waiting_.empty() || passed_.size() >= most_passed;
      continue;
    }
    if (!admit_front(now_s)) break;
  }
  if (!passed_.empty()) put_back_passed();
}

bool admission::lacks_slot(std::uint32_t slot) const {
  const auto adapter = context_->requests->adapter((*live_)[slot].id);
  return adapter != 0 && !context_->adapters.can_start(adapter);
}

// In front of all others, in their order.
void admission::put_back_passed() {
  while (!passed_.empty()) {
    wait_again(passed_.back());
    passed_.pop_back();
  }
}

// False: the request has to wait, and all behind it.
bool admission::admit_front(double now_s) {
  const auto& settings = context_->settings;
  const auto slot = waiting_.front();
  auto& live = (*live_)[slot];
  const auto found = blocks_->look_up(slot);
  const auto cached = found.tier_blocks > 0 ? tiers_.worth_loading(found, live.target, now_s) : found;
  const auto known = (cached.blocks + cached.tier_blocks) * settings.block_size;
  const bool from_afar = settings.role == engine_role::decode && !live.admitted && !live.local;
  const auto todo = live.target - known;
  auto tokens = settings.long_prefill_tokens > 0 ? std::min(todo, settings.long_prefill_tokens) : todo;
  if (!settings.chunked_prefill && tokens > draft_->budget() && !from_afar) return false;
  tokens = std::min(tokens, draft_->budget());
  const bool loads = from_afar || cached.tier_blocks > 0;
  if (!has_room(live, cached, loads ? todo : tokens)) {
    blocked_ = true;
    return false;
  }
  attach(slot, found, cached, now_s);
  const bool adapter_loads = context_->adapters.any() && live_->use_adapter(slot);
  count_adapter((*live_)[slot], adapter_loads);
  if (loads) {
    const auto ready_s = from_afar ? transferred_s(slot, now_s) : tiers_.load(cached, now_s);
    start_loading(slot, adapter_loads ? ready_s + settings.adapters.load_s : ready_s);
    return true;
  }
  draft_->adapter_loads += adapter_loads ? 1 : 0;
  live_->append_running(slot);
  draft_->compute_prompt(slot, tokens);
  return true;
}

// Admits the first waiting request with the cached part of its prompt.
void admission::attach(std::uint32_t slot, const cached_prompt& found, const cached_prompt& cached,
                       double now_s) {
  waiting_.pop_front();
  blocks_->attach(slot, cached);
  auto& live = (*live_)[slot];
  if (found.tier_blocks > 0) tiers_.count(found, cached, !live.admitted);
  context_->queued_tokens -= live.computed;
  count_admission(live, cached, now_s);
}

// Blocks that admission must leave free.
std::uint64_t admission::set_aside() const {
  const auto& settings = context_->settings;
  const auto share = static_cast<std::uint64_t>(settings.watermark * settings.blocks);
  auto blocks = draft_->chunks().empty() && !draft_->decodes ? 0 : share;
  if (settings.scheduler == scheduler_kind::sglang && settings.output_reserve > 0) {
    double left = 0;
    for (auto slot = live_->first_running(); slot != no_slot; slot = (*live_)[slot].after) {
      const auto& live = (*live_)[slot];
      left += live.is == phase::decoding ? static_cast<double>(decoder_->remaining(live)) : 0.0;
    }
    blocks += static_cast<std::uint64_t>(left * settings.output_reserve / settings.block_size);
  }
  return blocks;
}

// vLLM, v1/core/kv_cache_manager.py, allocate_slots: cached blocks without a holder are taken from
// the free ones as well.
bool admission::has_room(const live_request& live, const cached_prompt& cached, std::uint32_t tokens) const {
  const auto& settings = context_->settings;
  const auto known = (cached.blocks + cached.tier_blocks) * settings.block_size;
  const bool whole_input = settings.reserve_input || settings.scheduler == scheduler_kind::trtllm_inflight ||
                           settings.scheduler == scheduler_kind::sglang;
  const auto until = whole_input ? live.target : known + tokens;
  const auto needed = std::uint64_t{context_->blocks_for(until)} - cached.blocks + cached.free_blocks;
  if (settings.scheduler == scheduler_kind::trtllm_no_evict && !fits_to_its_end(live.id)) return false;
  return needed + set_aside() <= blocks_->free();
}

// Beside all that runs or is on its way here.
bool admission::fits_to_its_end(request_id request) const {
  auto blocks = live_->committed_blocks() + context_->blocks_for(context_->whole_tokens(request));
  for (const auto& loading : loading_)
    blocks += context_->blocks_for(context_->whole_tokens((*live_)[loading.slot].id));
  return blocks <= context_->settings.blocks;
}

void admission::count_admission(live_request& live, const cached_prompt& cached, double now_s) {
  if (live.admitted) return;
  live.admitted = true;
  auto& counts = context_->counts;
  const auto size = context_->settings.block_size;
  counts.prompt_lookups += context_->requests->input_tokens(live.id);
  counts.prompt_hits += std::uint64_t{cached.blocks + cached.tier_blocks} * size;
  if (context_->tells_admissions) context_->tell(now_s, live.id, engine_event_kind::scheduled);
}

void admission::count_adapter(const live_request& live, bool loads) {
  context_->counts.adapter_uses += live.adapted ? 1 : 0;
  context_->counts.adapter_loads += loads ? 1 : 0;
}

// The keys and values of the prompt are transferred over a link that serves one request at a time.
double admission::transferred_s(std::uint32_t slot, double now_s) {
  const auto& settings = context_->settings;
  auto& live = (*live_)[slot];
  blocks_->extend(slot, 0, live.target - 1);
  live.computed = live.target - 1;
  context_->queued_tokens -= live.computed;
  if (!(settings.transfer_bytes_per_s > 0)) return now_s;
  const auto seconds = live.computed * settings.kv_bytes_per_token / settings.transfer_bytes_per_s;
  link_free_s_ = std::max(link_free_s_, now_s) + seconds;
  return link_free_s_;
}

void admission::start_loading(std::uint32_t slot, double ready_s) {
  (*live_)[slot].is = phase::loading;
  loading_.push_back({slot, ready_s});
}

void admission::admit_batch(double now_s) {
  live_->set_batch_longest(0);
  std::uint64_t prompts = 0;
  while (!waiting_.empty() && live_->running() < context_->settings.max_sequences) {
    const auto slot = waiting_.front();
    const auto& live = (*live_)[slot];
    const auto longest = std::max(live_->batch_longest(), context_->outputs_here(live.id));
    // Every sequence may start a new block, hence one block more per sequence than the tokens need.
    const auto tokens = prompts + live.target + std::uint64_t{live_->running() + 1} * (longest - 1);
    if (live_->running() > 0 &&
        context_->blocks_for(tokens) + live_->running() + 1 > context_->settings.blocks)
      return;
    attach(slot, {}, {}, now_s);
    live_->append_running(slot);
    live_->start_prefilling(slot);
    prompts += live.target;
    live_->set_batch_longest(longest);
  }
}

}  // namespace ridge::plan::serve
