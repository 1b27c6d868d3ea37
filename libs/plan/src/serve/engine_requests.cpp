// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <ridge/base/expects.hpp>

#include "engine_state.hpp"

namespace ridge::plan::serve {

engine::state::state(engine_settings s, const iteration_timer& timer, const request_table& requests)
    : settings(std::move(s)),
      timer_(&timer),
      requests_(&requests),
      named_(settings.prefix_caching && requests.prefix_block_tokens() > 0),
      pool_(settings.blocks, settings.host.blocks, settings.disk.blocks),
      counted_(settings.blocks),
      waiting_(settings.priorities),
      phase_count_(settings.block_size),
      phase_head_(settings.block_size, no_slot),
      depth_(settings.async_scheduling ? 2 : 1) {
  expects(settings.check().ok(), "engine: settings that fail their check");
  expects(check_prefixes(settings, requests).ok(), "engine: block sizes of prefixes and cache do not divide");
}

// Tokens that this engine gives: the first alone where another goes on.
std::uint32_t engine::state::outputs_here(request_id r) const {
  return settings.role == engine_role::prefill ? 1 : std::max(1U, requests_->output_tokens(r));
}

// Tokens it stays for: a static batch keeps all its sequences to the end.
std::uint32_t engine::state::outputs_of(const live_request& r) const {
  return batch_longest_ > 0 ? batch_longest_ : outputs_here(r.id);
}

// In the cache when its last token is given, which itself is never computed on.
std::uint32_t engine::state::whole_tokens(request_id r) const {
  return requests_->input_tokens(r) + outputs_here(r) - 1;
}

bool engine::state::can_never_run(request_id r) const {
  if (blocks_for(std::max(1U, whole_tokens(r))) > settings.blocks) {
    return true;
  }
  const bool whole_prompts =
      !settings.chunked_prefill && settings.scheduler != scheduler_kind::static_batching;
  return whole_prompts && requests_->input_tokens(r) > settings.max_batched_tokens;
}

std::uint32_t engine::state::new_slot(request_id r, bool local) {
  if (spare_slots_.empty()) {
    spare_slots_.push_back(static_cast<std::uint32_t>(slots_.size()));
    slots_.emplace_back();
  }
  const auto slot = spare_slots_.back();
  spare_slots_.pop_back();
  auto& live = slots_[slot];
  live = {};
  live.id = r;
  live.is = phase::waiting;
  live.target = std::max(1U, requests_->input_tokens(r));
  live.local = local;
  if (settings.role == engine_role::decode && !local) {
    live.generated = 1;
    ++live.target;
  }
  ++live_;
  return slot;
}

void engine::state::drop_slot(std::uint32_t slot) {
  auto& r = slots_[slot];
  if (named_) {
    pool_.forget(r.blocks);
  } else {
    counted_.disown(slot);
  }
  r.is = phase::unused;
  spare_slots_.push_back(slot);
  --live_;
}

void engine::state::append_running(std::uint32_t slot) {
  auto& r = slots_[slot];
  r.listed = true;
  r.before = last_running_;
  r.after = no_slot;
  (last_running_ == no_slot ? first_running_ : slots_[last_running_].after) = slot;
  last_running_ = slot;
  ++running_;
  committed_blocks_ += blocks_for(whole_tokens(r.id));
}

void engine::state::remove_running(std::uint32_t slot) {
  auto& r = slots_[slot];
  if (!r.listed) {
    return;
  }
  r.listed = false;
  (r.before == no_slot ? first_running_ : slots_[r.before].after) = r.after;
  (r.after == no_slot ? last_running_ : slots_[r.after].before) = r.before;
  --running_;
  committed_blocks_ -= blocks_for(whole_tokens(r.id));
}

void engine::state::submit(request_id r, double now_s, bool local) {
  advance(now_s);
  ++counts_.submitted;
  if (can_never_run(r)) {
    ++counts_.rejected;
    tell(now_s, r, engine_event_kind::rejected);
    return;
  }
  const auto slot = new_slot(r, local);
  queued_tokens_ += slots_[slot].target;
  unseen_.push_back(slot);
  if (in_flight_ == 0 && pending_s_ == never_s) {
    pending_s_ = now_s;
  }
}

void engine::state::note_arrivals(double now_s) {
  for (const auto slot : unseen_) {
    const auto id = slots_[slot].id;
    blocked_ = blocked_ && !settings.priorities && !waiting_.empty();
    waiting_.push_back(slot, requests_->priority(id), requests_->arrival_s(id));
    if (tells_admissions) {
      tell(now_s, id, engine_event_kind::queued);
    }
  }
  unseen_.clear();
}

// The landed step's tokens are out.
void engine::state::complete(flying_step& step, double now_s) {
  for (const auto slot : step.first) {
    tell(now_s, slots_[slot].id, engine_event_kind::first_token);
  }
  for (const auto slot : step.last) {
    finish(slot, now_s);
  }
  step.first.clear();
  step.last.clear();
}

void engine::state::finish(std::uint32_t slot, double now_s) {
  const auto id = slots_[slot].id;
  const bool goes_on = settings.role == engine_role::prefill && requests_->output_tokens(id) > 1;
  ++(goes_on ? counts_.handed_over : counts_.finished);
  tell(now_s, id, goes_on ? engine_event_kind::handed_over : engine_event_kind::finished);
  release(slot, false);
  remove_running(slot);
  drop_slot(slot);
  blocked_ = false;
}

void engine::state::forget_in_flight(std::uint32_t slot) {
  for (auto& step : flying_) {
    std::erase(step.first, slot);
    std::erase(step.last, slot);
  }
}

std::uint32_t engine::state::find_live(request_id r) const {
  const auto at =
      std::ranges::find_if(slots_, [&](const live_request& l) { return l.is != phase::unused && l.id == r; });
  return at == slots_.end() ? no_slot : static_cast<std::uint32_t>(at - slots_.begin());
}

bool engine::state::evict(request_id r, double now_s) {
  advance(now_s);
  const auto slot = find_live(r);
  if (slot == no_slot) {
    return false;
  }
  auto& live = slots_[slot];
  if (live.is == phase::decoding) {
    leave_decoding(slot);
  } else if (live.is != phase::ending) {
    queued_tokens_ -= live.target - live.computed;
  }
  std::erase(prefilling_, slot);
  std::erase(unseen_, slot);
  std::erase_if(loading_, [&](const arriving& a) { return a.slot == slot; });
  (void)waiting_.remove(slot);
  forget_in_flight(slot);
  release(slot, false);
  remove_running(slot);
  drop_slot(slot);
  blocked_ = false;
  ++counts_.evicted;
  return true;
}

std::vector<request_id> engine::state::fail(double now_s) {
  advance(now_s);
  std::vector<request_id> lost;
  for (const auto& r : slots_) {
    if (r.is != phase::unused) {
      lost.push_back(r.id);
    }
  }
  std::ranges::sort(lost);
  slots_.clear();
  spare_slots_.clear();
  waiting_.clear();
  unseen_.clear();
  prefilling_.clear();
  loading_.clear();
  pool_.clear();
  counted_.clear();
  wheel_.clear();
  std::ranges::fill(phase_count_, 0U);
  std::ranges::fill(phase_head_, no_slot);
  flying_ = {};
  first_running_ = last_running_ = no_slot;
  running_ = live_ = in_flight_ = batch_longest_ = 0;
  decoding_ = decode_context_ = 0;
  committed_blocks_ = queued_tokens_ = 0;
  pace_ = {};
  blocked_ = false;
  pending_s_ = never_s;
  landed_s_ = now_s;
  return lost;
}

engine_load engine::state::load() const {
  auto context = static_cast<std::uint64_t>(decode_context_);
  for (const auto slot : prefilling_) {
    context += slots_[slot].computed;
  }
  return {.running = running_,
          .waiting = waiting_.size() + static_cast<std::uint32_t>(unseen_.size() + loading_.size()),
          .free_blocks = free_blocks(),
          .queued_tokens = queued_tokens_,
          .context_tokens = context};
}

engine_counts engine::state::counts() const {
  auto c = counts_;
  c.busy_s = busy_s_ + (in_flight_ > 0 ? now_s_ : landed_s_) - busy_since_s_;
  return c;
}

std::uint32_t engine::state::prefix_overlap(request_id r) const {
  const auto limit = requests_->input_tokens(r) / settings.block_size;
  std::uint32_t blocks = 0;
  while (blocks < limit) {
    const auto key = shared_key(r, blocks);
    if (key == 0 || pool_.find(key) == block_pool::none) {
      break;
    }
    ++blocks;
  }
  return blocks * settings.block_size;
}

}  // namespace ridge::plan::serve
