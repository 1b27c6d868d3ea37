// SPDX-License-Identifier: Apache-2.0
#include "engine_state.hpp"

namespace ridge::plan::serve {

// A sequence with offset o has computed o + steps tokens: it needs a block where that is a multiple of one.
std::uint32_t engine::state::phase_of(std::int64_t offset) const {
  const auto size = static_cast<std::int64_t>(settings.block_size);
  return static_cast<std::uint32_t>(((-offset) % size + size) % size);
}

void engine::state::join_decoding(std::uint32_t slot) {
  auto& r = slots_[slot];
  r.is = phase::decoding;
  r.offset = static_cast<std::int64_t>(r.computed) - static_cast<std::int64_t>(decode_steps_);
  r.last_step = decode_steps_ + (outputs_of(r) - r.generated);
  ++decoding_;
  decode_context_ += r.computed;
  link_phase(slot);
  link_wheel(slot);
  pace_.valid = false;
}

void engine::state::leave_decoding(std::uint32_t slot) {
  auto& r = slots_[slot];
  r.computed = static_cast<std::uint32_t>(r.offset + static_cast<std::int64_t>(decode_steps_));
  r.generated = outputs_of(r) - static_cast<std::uint32_t>(r.last_step - decode_steps_);
  --decoding_;
  decode_context_ -= r.computed;
  unlink_phase(slot);
  unlink_wheel(slot);
  pace_.valid = false;
}

// So many tokens further than its step alone takes it.
void engine::state::shift(std::uint32_t slot, std::int64_t tokens) {
  auto& r = slots_[slot];
  unlink_phase(slot);
  unlink_wheel(slot);
  r.offset += tokens;
  r.last_step -= static_cast<std::uint64_t>(tokens);
  decode_context_ += tokens;
  link_phase(slot);
  link_wheel(slot);
}

void engine::state::link_phase(std::uint32_t slot) {
  auto& r = slots_[slot];
  const auto at = phase_of(r.offset);
  ++phase_count_[at];
  if (!named_) {
    return;
  }
  r.phase_before = no_slot;
  r.phase_after = phase_head_[at];
  if (r.phase_after != no_slot) {
    slots_[r.phase_after].phase_before = slot;
  }
  phase_head_[at] = slot;
}

void engine::state::unlink_phase(std::uint32_t slot) {
  const auto& r = slots_[slot];
  const auto at = phase_of(r.offset);
  --phase_count_[at];
  if (!named_) {
    return;
  }
  (r.phase_before == no_slot ? phase_head_[at] : slots_[r.phase_before].phase_after) = r.phase_after;
  if (r.phase_after != no_slot) {
    slots_[r.phase_after].phase_before = r.phase_before;
  }
}

void engine::state::link_wheel(std::uint32_t slot) {
  auto& r = slots_[slot];
  auto& head = wheel_.head(r.last_step);
  r.wheel_before = no_slot;
  r.wheel_after = head;
  if (head != no_slot) {
    slots_[head].wheel_before = slot;
  }
  head = slot;
  wheel_.mark(r.last_step);
}

void engine::state::unlink_wheel(std::uint32_t slot) {
  const auto& r = slots_[slot];
  (r.wheel_before == no_slot ? wheel_.head(r.last_step) : slots_[r.wheel_before].wheel_after) = r.wheel_after;
  if (r.wheel_after != no_slot) {
    slots_[r.wheel_after].wheel_before = r.wheel_before;
  }
  if (wheel_.head(r.last_step) == no_slot) {
    wheel_.unmark(r.last_step);
  }
}

}  // namespace ridge::plan::serve
