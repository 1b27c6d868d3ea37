// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "engine_state.hpp"

namespace ridge::plan::serve {

// With its row of the table and its place in the line it stays below 200 bytes.
static_assert(sizeof(live_request) <= 88);

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
