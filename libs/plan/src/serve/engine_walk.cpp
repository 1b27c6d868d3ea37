// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <tuple>

#include "engine_state.hpp"
#include "mixed_bits.hpp"

namespace ridge::plan::serve {

// vLLM, v1/core/sched/scheduler.py: running requests in their order, each preempting from the end until it
// fits; who fits no more ends the walk.
void engine::state::walk_running(double now_s) {
  ++walks_;
  walked_ = true;
  const bool takes_prompts = settings.scheduler != scheduler_kind::sglang;
  for (auto slot = first_running_; slot != no_slot && budget_ > 0;) {
    const bool goes_on = slots_[slot].is == phase::decoding                      ? walk_decode(slot, now_s)
                         : slots_[slot].is == phase::prefilling && takes_prompts ? walk_prompt(slot, now_s)
                                                                                 : true;
    if (!goes_on) {
      break;
    }
    slot = slots_[slot].after;
  }
  decodes_ = decoding_ > 0;
}

bool engine::state::walk_decode(std::uint32_t slot, double now_s) {
  const auto computed =
      static_cast<std::uint32_t>(slots_[slot].offset + static_cast<std::int64_t>(decode_steps_));
  const auto remaining = slots_[slot].last_step - decode_steps_;
  const auto tokens =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(drawn_tokens(slots_[slot]), remaining));
  if (!make_room(slot, blocks_for(computed + tokens) - blocks_for(computed), now_s)) {
    return false;
  }
  extend(slot, computed, computed + tokens);
  auto& r = slots_[slot];
  r.served = walks_;
  r.accepted = tokens;
  budget_ -= std::min(budget_, 1 + settings.speculative.tokens);
  return true;
}

bool engine::state::walk_prompt(std::uint32_t slot, double now_s) {
  const auto tokens = prompt_share(slots_[slot], budget_);
  const auto computed = slots_[slot].computed;
  if (!make_room(slot, blocks_for(computed + tokens) - blocks_for(computed), now_s)) {
    return false;
  }
  slots_[slot].served = walks_;
  compute_prompt(slot, tokens);
  return true;
}

bool engine::state::make_room(std::uint32_t slot, std::uint32_t blocks, double now_s) {
  while (free_blocks() < blocks) {
    const auto gone = victim();
    preempt(gone, now_s);
    if (gone == slot) {
      return false;
    }
  }
  return true;
}

// Who gives up its blocks: the last admitted (vLLM, TensorRT-LLM), the least important, or the one that gave
// the fewest tokens (SGLang, managers/schedule_batch.py: retract_decode).
std::uint32_t engine::state::victim() const {
  auto worst = last_running_;
  if (!settings.priorities && settings.scheduler != scheduler_kind::sglang) {
    return worst;
  }
  const auto badness = [&](std::uint32_t slot) {
    const auto& r = slots_[slot];
    if (settings.priorities) {
      return std::tuple{static_cast<double>(requests_->priority(r.id)), requests_->arrival_s(r.id), r.id};
    }
    const auto left = r.is == phase::decoding ? r.last_step - decode_steps_ : 0;
    const auto given = r.is == phase::decoding ? outputs_here(r.id) - left : r.generated;
    return std::tuple{-static_cast<double>(given), static_cast<double>(requests_->input_tokens(r.id)), r.id};
  };
  for (auto slot = first_running_; slot != no_slot; slot = slots_[slot].after) {
    worst = badness(slot) > badness(worst) ? slot : worst;
  }
  return worst;
}

void engine::state::preempt(std::uint32_t slot, double now_s) {
  auto& r = slots_[slot];
  preempted_ = true;
  blocked_ = false;
  ++counts_.preemptions;
  remove_running(slot);
  if (r.is == phase::ending) {  // its last token is on its way
    release(slot, false);
    return;
  }
  if (r.is == phase::decoding) {
    const auto offset = r.offset;
    leave_decoding(slot);
    if (r.served == walks_) {
      const auto before = static_cast<std::uint32_t>(offset + static_cast<std::int64_t>(decode_steps_));
      r.computed = before + r.accepted;  // blocks were taken for them; they are not computed
      budget_ += 1 + settings.speculative.tokens;
    }
  } else {
    const auto of_it = [&](const chunk& c) { return c.slot == slot; };
    if (const auto at = std::ranges::find_if(chunks_, of_it); at != chunks_.end()) {
      budget_ += at->tokens;
      chunks_.erase(at);
    }
    std::erase(prefilling_, slot);
    queued_tokens_ -= r.target - r.computed;
  }
  release(slot, true);
  r.computed = 0;
  r.loaded = false;
  r.target = requests_->input_tokens(r.id) + r.generated;
  queued_tokens_ += r.target;
  r.is = phase::waiting;
  waiting_.push_front(slot, requests_->priority(r.id), requests_->arrival_s(r.id));
  tell(now_s, r.id, engine_event_kind::preempted);
}

// Sequences that the walk did not reach stay where they are; those whose guesses were accepted go further.
void engine::state::settle_walk() {
  if (!walked_) {
    return;
  }
  for (auto slot = first_running_; slot != no_slot; slot = slots_[slot].after) {
    const auto& r = slots_[slot];
    if (r.is != phase::decoding) {
      continue;
    }
    if (r.served != walks_) {
      ++idle_decodes_;
      shift(slot, -1);
      idle_context_ += r.offset + static_cast<std::int64_t>(decode_steps_) + 1;
    } else if (r.accepted > 1) {
      extra_tokens_ += r.accepted - 1;
      shift(slot, static_cast<std::int64_t>(r.accepted) - 1);
    }
  }
}

// One token, and the guesses that hold: each with the same chance, up to the first that does not.
std::uint32_t engine::state::drawn_tokens(const live_request& of) const {
  std::uint32_t tokens = 1;
  if (settings.speculative.tokens == 0) {
    return tokens;
  }
  const auto place = of.offset + static_cast<std::int64_t>(decode_steps_);
  const auto bits = mixed_bits(mixed_bits(settings.seed, of.id), static_cast<std::uint64_t>(place));
  const auto uniform = static_cast<double>(bits >> 11U) * 0x1p-53;
  auto chance = settings.speculative.acceptance;
  while (tokens <= settings.speculative.tokens && uniform < chance) {
    chance *= settings.speculative.acceptance;
    ++tokens;
  }
  return tokens;
}

}  // namespace ridge::plan::serve
