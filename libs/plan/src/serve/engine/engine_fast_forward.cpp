// SPDX-License-Identifier: Apache-2.0
// How an engine computes many steps at once, and how far it may do so.
#include <algorithm>

#include "engine_state.hpp"

namespace ridge::plan::serve {

// Whether the steps in flight are decode-only and the next ones will be equal. All in flight are then on the
// decoder's pace, so that no first or last token comes from them.
bool engine::state::steady() const {
  const auto& pace = decoder_.pace();
  if (!pace.valid || in_flight_ < depth_ || pace.steps < in_flight_ || !context_.settings.fast_forward ||
      context_.settings.speculative.tokens > 0)
    return false;
  return live_.prefilling().empty() && admission_.at_rest();
}

// Computes many decode-only steps at once.
bool engine::state::skip(double until_s) {
  const auto most = decoder_.steps_alike(decoder_.steps_to_an_end() - 1);
  if (most < 1) return false;
  const auto& pace = decoder_.pace();
  const auto front = pace.steps - (static_cast<std::int64_t>(in_flight_) - 1);
  const auto steps = pace.last_before(until_s, front + most - 1) - front + 1;
  if (steps < 1) return false;
  decoder_.jump(steps);
  const auto sequences = decoder_.sequences();
  const auto begin_s = flying_[0].begin_s;
  fly_on(steps);
  const auto end_s = flying_[0].begin_s;
  if (steps_sink_ != nullptr) steps_sink_->take({begin_s, end_s, steps, 0, sequences, sequences});
  context_.counts.steps += static_cast<std::uint64_t>(steps);
  context_.counts.decode_tokens += static_cast<std::uint64_t>(steps * sequences);
  now_s_ = landed_s_ = end_s;
  return true;
}

// Ends the first step in flight and schedules one more that decodes like it, in which sequences may end: what
// land_front() and start() would do where nothing waits, without asking every part of the engine.
bool engine::state::step_on(double until_s) {
  if (flying_[0].end_s >= until_s || decoder_.steps_alike(1) < 1) return false;
  tell_front_step();
  now_s_ = landed_s_ = flying_[0].end_s;
  decoder_.take_blocks_due();
  decoder_.step();
  fly_on(1);
  context_.counts.steps += 1;
  context_.counts.decode_tokens += static_cast<std::uint64_t>(decoder_.sequences());
  decoder_.remove_ended(flying_[in_flight_ - 1].last);
  return true;
}

// Replaces the steps in flight by those that many steps later.
void engine::state::fly_on(std::int64_t steps) {
  auto& pace = decoder_.pace();
  pace.steps += steps;
  for (std::uint32_t i = 0; i < in_flight_; ++i) {
    const auto nth = pace.steps - static_cast<std::int64_t>(in_flight_ - 1 - i);
    flying_[i].begin_s = pace.end_s(nth - 1);
    flying_[i].end_s = pace.end_s(nth);
  }
}

double engine::state::next_s() { return std::min(front_end_.next_s(), next_step_s()); }

double engine::state::next_step_s() {
  if (pending_s_ != never_s) start(pending_s_);
  if (in_flight_ == 0) return admission_.next_ready_s();
  if (!steady()) return flying_[0].end_s;
  // The step after the equal ones may end a sequence, or preempt one when it is scheduled: that happens at
  // the end of the step that is as many steps before it as are in flight.
  const auto alike = decoder_.steps_alike(decoder_.steps_to_an_end());
  const auto& pace = decoder_.pace();
  return pace.end_s(pace.steps + alike + 1 - static_cast<std::int64_t>(in_flight_));
}

}  // namespace ridge::plan::serve
