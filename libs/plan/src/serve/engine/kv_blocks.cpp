// SPDX-License-Identifier: Apache-2.0
#include "kv_blocks.hpp"

#include <algorithm>

#include "serve/mixed_bits.hpp"

namespace ridge::plan::serve {

kv_blocks::kv_blocks(const engine_context& context, live_requests& live)
    : context_(&context),
      live_(&live),
      named_(context.settings.prefix_caching && context.requests->prefix_block_tokens() > 0),
      pool_(context.settings.blocks, context.settings.host.blocks, context.settings.disk.blocks),
      counted_(context.settings.blocks) {}

// The key of an engine's block from the ids in the trace, whose blocks may be longer or shorter. The last id
// may belong to a block that the prompt does not fill, so it identifies nothing beyond the prompt.
std::uint64_t kv_blocks::shared_key(request_id request, std::uint32_t block) const {
  const auto ids = context_->requests->prefix(request);
  if (ids.empty()) return 0;
  const auto id_tokens = context_->requests->prefix_block_tokens();
  const auto size = context_->settings.block_size;
  const auto input = context_->requests->input_tokens(request);
  const auto prompt_ids = (input + id_tokens - 1) / id_tokens;
  const auto end = (std::uint64_t{block} + 1) * size;
  if (end > input && ids.size() <= prompt_ids) return 0;
  const auto index = (end - 1) / id_tokens;
  if (index >= ids.size()) return 0;
  return end % id_tokens == 0 ? ids[index] : mixed_bits(ids[index], end % id_tokens);
}

std::uint64_t kv_blocks::private_key(request_id request, std::uint32_t block) const {
  return mixed_bits(context_->settings.seed ^ 0x5bd1e995U, (std::uint64_t{request} << 32U) | block);
}

void kv_blocks::extend(std::uint32_t slot, std::uint32_t first, std::uint32_t last) {
  auto& live = (*live_)[slot];
  live.holds = true;
  const auto needed = context_->blocks_for(last);
  if (!named_) {
    counted_.take(needed - context_->blocks_for(first));
    return;
  }
  while (live.blocks.count < needed) {
    if (live.blocks.count > 0) name_last(live);
    pool_.append_new(live.blocks);
  }
  if (last % context_->settings.block_size == 0) name_last(live);
}

void kv_blocks::name_last(live_request& live) {
  if (const auto key = shared_key(live.id, live.blocks.count - 1); key != 0)
    pool_.name(pool_.last(live.blocks), key);
}

// Full blocks that no other request can find remain findable by the request that wrote them.
void kv_blocks::name_own(live_request& live) {
  pool_.read(live.blocks, own_);
  const auto full = std::min<std::size_t>(live.computed / context_->settings.block_size, own_.size());
  for (std::uint32_t b = 0; b < full; ++b) {
    if (pool_.key(own_[b]) == 0) pool_.name_privately(own_[b], private_key(live.id, b));
  }
}

void kv_blocks::release(std::uint32_t slot, bool keeps_list) {
  auto& live = (*live_)[slot];
  if (!live.holds) return;
  live.holds = false;
  const auto size = context_->settings.block_size;
  if (!named_) {
    const auto full = keeps_list && context_->settings.prefix_caching ? live.computed / size : 0;
    counted_.give(context_->blocks_for(live.computed) - full);
    counted_.give_kept(full, slot);
    return;
  }
  if (live.blocks.count > 0 && live.computed >= live.blocks.count * size) name_last(live);
  if (keeps_list) name_own(live);
  pool_.release(live.blocks, !keeps_list);
}

void kv_blocks::forget(std::uint32_t slot) {
  if (named_)
    pool_.forget((*live_)[slot].blocks);
  else
    counted_.disown(slot);
}

void kv_blocks::clear() {
  pool_.clear();
  counted_.clear();
}

std::uint32_t kv_blocks::cached_block(const live_request& live, std::uint32_t block) const {
  if (const auto key = shared_key(live.id, block); key != 0) {
    if (const auto found = pool_.find(key); found != block_pool::none) return found;
  }
  const bool still_its = block < own_.size() && pool_.key(own_[block]) == private_key(live.id, block);
  return still_its ? own_[block] : block_pool::none;
}

cached_prompt kv_blocks::look_up(std::uint32_t slot) {
  const auto& live = (*live_)[slot];
  cached_prompt cached;
  hits_.clear();
  if (!named_) {
    cached.blocks = cached.free_blocks = live.admitted ? counted_.kept(slot) : 0;
    return cached;
  }
  if (context_->settings.role == engine_role::decode && !live.admitted && !live.local) return cached;
  own_.clear();
  if (live.blocks.count > 0) pool_.read(live.blocks, own_);
  const auto limit = (live.target - 1) / context_->settings.block_size;
  for (auto found = cached_block(live, 0); cached.blocks < limit && found != block_pool::none;) {
    hits_.push_back(found);
    cached.free_blocks += pool_.is_free(found) ? 1U : 0U;
    found = ++cached.blocks < limit ? cached_block(live, cached.blocks) : block_pool::none;
  }
  if (pool_.has_tiers()) add_tier_blocks(live, limit, cached);
  return cached;
}

// Maximal series of blocks in the tiers, from the first that the GPU lacks.
void kv_blocks::add_tier_blocks(const live_request& live, std::uint32_t limit, cached_prompt& cached) const {
  for (auto block = cached.blocks; block < limit; ++block) {
    const auto key = shared_key(live.id, block);
    if (key == 0) return;
    const bool in_host = pool_.in_host(key);
    if (!in_host && !pool_.in_disk(key)) return;
    cached.disk_blocks += in_host ? 0U : 1U;
    ++cached.tier_blocks;
    if (cached.disk_blocks == 0) cached.blocks_before_disk = cached.tier_blocks;
  }
}

void kv_blocks::attach(std::uint32_t slot, const cached_prompt& cached) {
  auto& live = (*live_)[slot];
  if (named_) {
    pool_.forget(live.blocks);
    for (const auto block : hits_) pool_.append_held(live.blocks, block);
  } else if (cached.blocks > 0) {
    counted_.claim(slot);
  }
  const auto size = context_->settings.block_size;
  const auto hit_tokens = cached.blocks * size;
  live.holds = live.holds || cached.blocks > 0;
  live.computed = hit_tokens + cached.tier_blocks * size;
  if (cached.tier_blocks == 0) return;
  // The last first, so that a prompt loses its end before its beginning.
  for (auto block = cached.tier_blocks; block > 0; --block)
    pool_.touch(shared_key(live.id, cached.blocks + block - 1));
  extend(slot, hit_tokens, live.computed);
}

std::uint32_t kv_blocks::prefix_overlap(request_id request) const {
  const auto limit = context_->requests->input_tokens(request) / context_->settings.block_size;
  std::uint32_t blocks = 0;
  while (blocks < limit) {
    const auto key = shared_key(request, blocks);
    if (key == 0 || pool_.find(key) == block_pool::none) break;
    ++blocks;
  }
  return blocks * context_->settings.block_size;
}

}  // namespace ridge::plan::serve
