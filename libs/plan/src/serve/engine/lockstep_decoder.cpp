// SPDX-License-Identifier: Apache-2.0
#include "lockstep_decoder.hpp"

#include <algorithm>

namespace ridge::plan::serve {

lockstep_decoder::lockstep_decoder(const engine_context& context, live_requests& live, kv_blocks& blocks)
    : live_(&live),
      blocks_(&blocks),
      block_size_(context.settings.block_size),
      by_block_(block_size_),
      phase_count_(block_size_),
      phase_head_(block_size_, no_slot) {}

// A sequence needs a block at steps in which a multiple of the block size has been computed.
std::uint32_t lockstep_decoder::phase_of(const live_request& live) const {
  const auto in_block = by_block_.remainder(static_cast<std::uint64_t>(computed(live)));
  return in_block <= due_ ? due_ - in_block : due_ + block_size_ - in_block;
}

void lockstep_decoder::join(std::uint32_t slot) {
  auto& live = (*live_)[slot];
  live.is = phase::decoding;
  live.offset = static_cast<std::int64_t>(live.computed) - static_cast<std::int64_t>(steps_);
  live.last_step = steps_ + (live_->outputs(live) - live.generated);
  ++sequences_;
  context_tokens_ += live.computed;
  link_phase(slot);
  link_wheel(slot);
  pace_.valid = false;
}

void lockstep_decoder::leave(std::uint32_t slot) {
  auto& live = (*live_)[slot];
  live.computed = static_cast<std::uint32_t>(computed(live));
  live.generated = live_->outputs(live) - static_cast<std::uint32_t>(remaining(live));
  --sequences_;
  context_tokens_ -= live.computed;
  unlink_phase(slot);
  unlink_wheel(slot);
  pace_.valid = false;
}

void lockstep_decoder::shift(std::uint32_t slot, std::int64_t tokens) {
  auto& live = (*live_)[slot];
  unlink_phase(slot);
  unlink_wheel(slot);
  live.offset += tokens;
  live.last_step -= static_cast<std::uint64_t>(tokens);
  context_tokens_ += tokens;
  link_phase(slot);
  link_wheel(slot);
}

void lockstep_decoder::clear() {
  wheel_.clear();
  std::ranges::fill(phase_count_, 0U);
  std::ranges::fill(phase_head_, no_slot);
  sequences_ = context_tokens_ = 0;
  pace_ = {};
}

void lockstep_decoder::link_phase(std::uint32_t slot) {
  auto& live = (*live_)[slot];
  const auto index = phase_of(live);
  ++phase_count_[index];
  if (!blocks_->named()) return;
  live.phase_before = no_slot;
  live.phase_after = phase_head_[index];
  if (live.phase_after != no_slot) (*live_)[live.phase_after].phase_before = slot;
  phase_head_[index] = slot;
}

void lockstep_decoder::unlink_phase(std::uint32_t slot) {
  const auto& live = (*live_)[slot];
  const auto index = phase_of(live);
  --phase_count_[index];
  if (!blocks_->named()) return;
  (live.phase_before == no_slot ? phase_head_[index] : (*live_)[live.phase_before].phase_after) =
      live.phase_after;
  if (live.phase_after != no_slot) (*live_)[live.phase_after].phase_before = live.phase_before;
}

void lockstep_decoder::link_wheel(std::uint32_t slot) {
  auto& live = (*live_)[slot];
  auto& head = wheel_.head(live.last_step);
  live.wheel_before = no_slot;
  live.wheel_after = head;
  if (head != no_slot) (*live_)[head].wheel_before = slot;
  head = slot;
  wheel_.mark(live.last_step);
}

void lockstep_decoder::unlink_wheel(std::uint32_t slot) {
  const auto& live = (*live_)[slot];
  (live.wheel_before == no_slot ? wheel_.head(live.last_step) : (*live_)[live.wheel_before].wheel_after) =
      live.wheel_after;
  if (live.wheel_after != no_slot) (*live_)[live.wheel_after].wheel_before = live.wheel_before;
  if (wheel_.head(live.last_step) == no_slot) wheel_.unmark(live.last_step);
}

void lockstep_decoder::take_blocks_due() {
  if (!blocks_->named()) {
    blocks_->take_counted(phase_count_[due_]);
    return;
  }
  for (auto slot = phase_head_[due_]; slot != no_slot; slot = (*live_)[slot].phase_after) {
    const auto tokens = static_cast<std::uint32_t>(computed((*live_)[slot]));
    blocks_->extend(slot, tokens, tokens + 1);
  }
}

// Removes the sequences whose last token this step produces.
void lockstep_decoder::remove_ended(std::vector<std::uint32_t>& ended) {
  auto slot = wheel_.head(steps_);
  while (slot != no_slot) {
    auto& live = (*live_)[slot];
    const auto after = live.wheel_after;
    if (live.last_step == steps_) {
      leave(slot);
      live.is = phase::ending;
      ended.push_back(slot);
    }
    slot = after;
  }
}

std::int64_t lockstep_decoder::steps_alike(std::int64_t most) const {
  const auto on_line = std::max<std::int64_t>(pace_.up_to_context - context_tokens_, 0);
  if (on_line < most * sequences_) most = on_line / sequences_;
  auto free = static_cast<std::int64_t>(blocks_->free());
  // Every sequence takes one block in as many steps as a block has tokens.
  auto rounds = static_cast<std::int64_t>(by_block_.quotient(static_cast<std::uint64_t>(most)));
  if ((rounds + 1) * sequences_ <= free) return most;
  rounds = std::min(rounds, free / sequences_);
  free -= rounds * sequences_;
  auto steps = rounds * static_cast<std::int64_t>(block_size_);
  for (auto index = due_; steps < most; ++steps) {
    free -= phase_count_[index];
    if (free < 0) break;
    index = index + 1 == block_size_ ? 0 : index + 1;
  }
  return steps;
}

// Blocks that so many next steps need, fewer than fill a block.
std::uint32_t lockstep_decoder::blocks_of_phases(std::uint32_t steps) const {
  std::uint32_t blocks = 0;
  for (auto index = due_; steps > 0; --steps) {
    blocks += phase_count_[index];
    index = index + 1 == block_size_ ? 0 : index + 1;
  }
  return blocks;
}

void lockstep_decoder::jump_named(std::int64_t steps) {
  for (std::int64_t i = 0; i < steps; ++i) {
    take_blocks_due();
    ++steps_;
    pass_phases(1);
  }
}

void lockstep_decoder::jump_counted(std::int64_t steps) {
  const auto rounds = static_cast<std::uint32_t>(by_block_.quotient(static_cast<std::uint64_t>(steps)));
  const auto rest = by_block_.remainder(static_cast<std::uint64_t>(steps));
  blocks_->take_counted(rounds * static_cast<std::uint32_t>(sequences_) + blocks_of_phases(rest));
  steps_ += static_cast<std::uint64_t>(steps);
  pass_phases(rest);
}

void lockstep_decoder::jump(std::int64_t steps) {
  if (blocks_->named())
    jump_named(steps);
  else
    jump_counted(steps);
  context_tokens_ += steps * sequences_;
}

}  // namespace ridge::plan::serve
