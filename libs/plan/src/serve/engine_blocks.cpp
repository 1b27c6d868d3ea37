// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "engine_state.hpp"
#include "mixed_bits.hpp"

namespace ridge::plan::serve {

// The key of an engine's block from the trace's ids, whose blocks may be longer or shorter. 0: not known. The
// last id of a prompt may stand for a block that the prompt does not fill: nothing beyond the prompt is known
// by it.
std::uint64_t engine::state::shared_key(request_id r, std::uint32_t block) const {
  const auto ids = requests_->prefix(r);
  if (ids.empty()) {
    return 0;
  }
  const auto of = requests_->prefix_block_tokens();
  const auto size = settings.block_size;
  const auto input = requests_->input_tokens(r);
  const auto prompt_ids = (input + of - 1) / of;
  const auto end = (std::uint64_t{block} + 1) * size;
  if (end > input && ids.size() <= prompt_ids) {
    return 0;
  }
  const auto at = (end - 1) / of;
  if (at >= ids.size()) {
    return 0;
  }
  return end % of == 0 ? ids[at] : mixed_bits(ids[at], end % of);
}

std::uint64_t engine::state::private_key(request_id r, std::uint32_t block) const {
  return mixed_bits(settings.seed ^ 0x5bd1e995U, (std::uint64_t{r} << 32U) | block);
}

// Blocks for tokens [from, to); those that become full can be found by others at once.
void engine::state::extend(std::uint32_t slot, std::uint32_t from, std::uint32_t to) {
  auto& r = slots_[slot];
  r.holds = true;
  const auto needed = blocks_for(to);
  if (!named_) {
    counted_.take(needed - blocks_for(from));
    return;
  }
  while (r.blocks.count < needed) {
    if (r.blocks.count > 0) {
      name_last(r);
    }
    pool_.append_new(r.blocks);
  }
  if (to % settings.block_size == 0) {
    name_last(r);
  }
}

void engine::state::name_last(live_request& r) {
  if (const auto key = shared_key(r.id, r.blocks.count - 1); key != 0) {
    pool_.name(pool_.last(r.blocks), key);
  }
}

// Full blocks that nobody else can find stay findable for the request that wrote them.
void engine::state::name_own(live_request& r) {
  pool_.read(r.blocks, own_);
  const auto full = std::min<std::size_t>(r.computed / settings.block_size, own_.size());
  for (std::uint32_t b = 0; b < full; ++b) {
    if (pool_.key(own_[b]) == 0) {
      pool_.name_privately(own_[b], private_key(r.id, b));
    }
  }
}

void engine::state::release(std::uint32_t slot, bool keeps_list) {
  auto& r = slots_[slot];
  if (!r.holds) {
    return;
  }
  r.holds = false;
  if (!named_) {
    const auto full = keeps_list && settings.prefix_caching ? r.computed / settings.block_size : 0;
    counted_.give(blocks_for(r.computed) - full);
    counted_.give_kept(full, slot);
    return;
  }
  if (r.blocks.count > 0 && r.computed >= r.blocks.count * settings.block_size) {
    name_last(r);
  }
  if (keeps_list) {
    name_own(r);
  }
  pool_.release(r.blocks, !keeps_list);
}

}  // namespace ridge::plan::serve
