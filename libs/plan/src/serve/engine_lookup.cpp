// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "engine_state.hpp"

namespace ridge::plan::serve {

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

}  // namespace ridge::plan::serve
