// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "engine_state.hpp"

namespace ridge::plan::serve {

void engine::state::admit(double now_s) {
  while (!blocked_ && !waiting_.empty() && budget_ > 0) {
    if (running_ + loading_.size() >= settings.max_sequences) {
      blocked_ = true;
      return;
    }
    if (!admit_front(now_s)) {
      return;
    }
  }
}

// False: it has to wait, and all behind it.
bool engine::state::admit_front(double now_s) {
  const auto slot = waiting_.front();
  auto& r = slots_[slot];
  const auto cached = look_up(slot);
  const auto known = (cached.blocks + cached.tier_blocks) * settings.block_size;
  const bool from_afar = settings.role == engine_role::decode && !r.admitted && !r.local;
  const auto todo = r.target - known;
  auto tokens = settings.long_prefill_tokens > 0 ? std::min(todo, settings.long_prefill_tokens) : todo;
  if (!settings.chunked_prefill && tokens > budget_ && !from_afar) {
    return false;
  }
  tokens = std::min(tokens, budget_);
  const bool loads = from_afar || cached.tier_blocks > 0;
  if (!has_room(r, cached, loads ? todo : tokens)) {
    blocked_ = true;
    return false;
  }
  waiting_.pop_front();
  attach(slot, cached);
  count_admission(slot, cached, now_s);
  if (loads) {
    auto ready_s = now_s + cached.load_s;
    if (from_afar) {
      ready_s = transferred_s(slot, now_s);
    }
    start_loading(slot, ready_s);
    return true;
  }
  append_running(slot);
  compute_prompt(slot, tokens);
  return true;
}

// Blocks that admission may not touch.
std::uint64_t engine::state::set_aside() const {
  const auto share = static_cast<std::uint64_t>(settings.watermark * settings.blocks);
  auto blocks = chunks_.empty() && !decodes_ ? 0 : share;
  if (settings.scheduler == scheduler_kind::sglang && settings.output_reserve > 0) {
    double left = 0;
    for (auto slot = first_running_; slot != no_slot; slot = slots_[slot].after) {
      const auto& r = slots_[slot];
      left += r.is == phase::decoding ? static_cast<double>(r.last_step - decode_steps_) : 0.0;
    }
    blocks += static_cast<std::uint64_t>(left * settings.output_reserve / settings.block_size);
  }
  return blocks;
}

// vLLM, v1/core/kv_cache_manager.py, allocate_slots: cached blocks that nobody holds leave the free ones too.
bool engine::state::has_room(const live_request& r, const cached_prompt& c, std::uint32_t tokens) const {
  const auto known = (c.blocks + c.tier_blocks) * settings.block_size;
  const bool whole_input = settings.reserve_input || settings.scheduler == scheduler_kind::trtllm_inflight ||
                           settings.scheduler == scheduler_kind::sglang;
  const auto until = whole_input ? r.target : known + tokens;
  const auto needed = std::uint64_t{blocks_for(until)} - c.blocks + c.free_blocks;
  if (settings.scheduler == scheduler_kind::trtllm_no_evict && !fits_to_its_end(r.id)) {
    return false;
  }
  return needed + set_aside() <= free_blocks();
}

// Beside all that runs or is on its way here.
bool engine::state::fits_to_its_end(request_id r) const {
  auto blocks = committed_blocks_ + blocks_for(whole_tokens(r));
  for (const auto& l : loading_) {
    blocks += blocks_for(whole_tokens(slots_[l.slot].id));
  }
  return blocks <= settings.blocks;
}

std::uint32_t engine::state::cached_block(const live_request& r, std::uint32_t block) const {
  if (const auto key = shared_key(r.id, block); key != 0) {
    if (const auto found = pool_.find(key); found != block_pool::none) {
      return found;
    }
  }
  const bool still_its = block < own_.size() && pool_.key(own_[block]) == private_key(r.id, block);
  return still_its ? own_[block] : block_pool::none;
}

// Seconds to read a block from below the GPU; negative: it is not there.
double engine::state::tier_s(std::uint64_t key) const {
  const auto bytes = settings.block_size * settings.kv_bytes_per_token;
  if (key != 0 && pool_.in_host(key)) {
    return bytes / settings.host.read_bytes_per_s;
  }
  return key != 0 && pool_.in_disk(key) ? bytes / settings.disk.read_bytes_per_s : -1;
}

// Leading blocks of a prompt that need no computing. One token is always computed, for the logits, so a
// prompt that is cached to its end computes its last block again (vLLM, get_computed_blocks).
engine::state::cached_prompt engine::state::look_up(std::uint32_t slot) {
  const auto& r = slots_[slot];
  cached_prompt c;
  hits_.clear();
  if (!named_) {
    c.blocks = c.free_blocks = r.admitted ? counted_.kept(slot) : 0;
    return c;
  }
  if (settings.role == engine_role::decode && !r.admitted && !r.local) {
    return c;
  }
  own_.clear();
  if (r.blocks.count > 0) {
    pool_.read(r.blocks, own_);
  }
  const auto limit = (r.target - 1) / settings.block_size;
  for (auto found = cached_block(r, 0); c.blocks < limit && found != block_pool::none;) {
    hits_.push_back(found);
    c.free_blocks += pool_.is_free(found) ? 1U : 0U;
    found = ++c.blocks < limit ? cached_block(r, c.blocks) : block_pool::none;
  }
  for (auto block = c.blocks; block < limit; ++block) {
    const auto seconds = tier_s(shared_key(r.id, block));
    if (seconds < 0) {
      break;
    }
    c.load_s += seconds;
    ++c.tier_blocks;
  }
  return c;
}

void engine::state::attach(std::uint32_t slot, const cached_prompt& c) {
  auto& r = slots_[slot];
  if (named_) {
    pool_.forget(r.blocks);
    for (const auto block : hits_) {
      pool_.append_held(r.blocks, block);
    }
  } else if (c.blocks > 0) {
    counted_.claim(slot);
  }
  const auto hit_tokens = c.blocks * settings.block_size;
  r.holds = r.holds || c.blocks > 0;
  r.computed = hit_tokens + c.tier_blocks * settings.block_size;
  if (c.tier_blocks > 0) {
    extend(slot, hit_tokens, r.computed);
  }
  queued_tokens_ -= r.computed;
}

void engine::state::count_admission(std::uint32_t slot, const cached_prompt& c, double now_s) {
  auto& r = slots_[slot];
  if (r.admitted) {
    return;
  }
  r.admitted = true;
  counts_.prompt_lookups += requests_->input_tokens(r.id);
  counts_.prompt_hits += std::uint64_t{c.blocks + c.tier_blocks} * settings.block_size;
  counts_.tier_hits += std::uint64_t{c.tier_blocks} * settings.block_size;
  if (tells_admissions) {
    tell(now_s, r.id, engine_event_kind::scheduled);
  }
}

// The prompt's keys and values come over a link that serves one after another.
double engine::state::transferred_s(std::uint32_t slot, double now_s) {
  auto& r = slots_[slot];
  extend(slot, 0, r.target - 1);
  r.computed = r.target - 1;
  queued_tokens_ -= r.computed;
  if (!(settings.transfer_bytes_per_s > 0)) {
    return now_s;
  }
  const auto seconds = r.computed * settings.kv_bytes_per_token / settings.transfer_bytes_per_s;
  link_free_s_ = std::max(link_free_s_, now_s) + seconds;
  return link_free_s_;
}

void engine::state::start_loading(std::uint32_t slot, double ready_s) {
  slots_[slot].is = phase::loading;
  loading_.push_back({slot, ready_s});
}

void engine::state::note_loaded(double now_s) {
  std::erase_if(loading_, [&](const arriving& a) {
    if (a.ready_s > now_s) {
      return false;
    }
    slots_[a.slot].is = phase::prefilling;
    prefilling_.push_back(a.slot);
    append_running(a.slot);
    return true;
  });
}

// A batch for as long as its longest answer: blocks of all of them to its end.
void engine::state::admit_batch(double now_s) {
  batch_longest_ = 0;
  std::uint64_t prompts = 0;
  while (!waiting_.empty() && running_ < settings.max_sequences) {
    const auto slot = waiting_.front();
    auto& r = slots_[slot];
    const auto longest = std::max(batch_longest_, outputs_here(r.id));
    // Every sequence may start a block of its own, hence one more each than the tokens ask for.
    const auto tokens = prompts + r.target + std::uint64_t{running_ + 1} * (longest - 1);
    if (running_ > 0 && blocks_for(tokens) + running_ + 1 > settings.blocks) {
      return;
    }
    waiting_.pop_front();
    attach(slot, {});
    count_admission(slot, {}, now_s);
    append_running(slot);
    r.is = phase::prefilling;
    prefilling_.push_back(slot);
    prompts += r.target;
    batch_longest_ = longest;
  }
}

}  // namespace ridge::plan::serve
