// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "engine_state.hpp"

namespace ridge::plan::serve {

double engine::state::next_ready_s() const {
  double first = never_s;
  for (const auto& l : loading_) {
    first = std::min(first, l.ready_s);
  }
  return first;
}

// vLLM, v1/engine/core.py: outputs of the step that ended, then what has arrived, then the next step; with
// asynchronous scheduling the one after the next.
void engine::state::start(double now_s) {
  pending_s_ = never_s;
  if (in_flight_ == 0 && now_s != landed_s_) {
    busy_s_ += landed_s_ - busy_since_s_;
    busy_since_s_ = landed_s_ = now_s;
  }
  note_arrivals(now_s);
  note_loaded(now_s);
  while (in_flight_ < depth_ && schedule(now_s)) {
  }
}

void engine::state::land_front() {
  now_s_ = landed_s_ = flying_[0].end_s;
  std::swap(flying_[0], flying_[1]);
  --in_flight_;
  if (steps_to != nullptr) {
    const auto& s = flying_[1];
    steps_to->take({s.begin_s, s.end_s, 1, s.prefill_tokens, s.decode_tokens, s.decode_sequences});
  }
  complete(flying_[1], now_s_);
  pending_s_ = now_s_;
}

// Whether the steps in flight only decode and the next ones will be like them.
bool engine::state::steady() const {
  if (!settings.fast_forward || settings.speculative.tokens > 0 || !pace_.valid || in_flight_ < depth_ ||
      pace_.steps < in_flight_) {
    return false;
  }
  if (!prefilling_.empty() || !loading_.empty() || !unseen_.empty() || (!waiting_.empty() && !blocked_)) {
    return false;
  }
  return std::ranges::all_of(flying_, [](const flying_step& s) { return s.first.empty() && s.last.empty(); });
}

// How many of the next steps, at most `most`, have blocks and stay on the timer's line.
std::int64_t engine::state::steps_alike(std::int64_t most) const {
  most = std::min(most, (pace_.up_to_context - decode_context_) / decoding_);
  const auto size = static_cast<std::int64_t>(settings.block_size);
  auto free = static_cast<std::int64_t>(free_blocks());
  const auto rounds =
      std::min(most / size, free / decoding_);  // every sequence takes one block in so many steps
  free -= rounds * decoding_;
  auto steps = rounds * size;
  for (auto at = (decode_steps_ + static_cast<std::uint64_t>(steps)) % settings.block_size; steps < most;
       ++steps) {
    free -= phase_count_[at];
    if (free < 0) {
      break;
    }
    at = at + 1 == settings.block_size ? 0 : at + 1;
  }
  return steps;
}

void engine::state::take_blocks_of_step() {
  const auto at = decode_steps_ % settings.block_size;
  if (!named_) {
    counted_.take(phase_count_[at]);
    return;
  }
  for (auto slot = phase_head_[at]; slot != no_slot; slot = slots_[slot].phase_after) {
    const auto computed =
        static_cast<std::uint32_t>(slots_[slot].offset + static_cast<std::int64_t>(decode_steps_));
    extend(slot, computed, computed + 1);
  }
}

// Many steps that only decode at once.
bool engine::state::skip(double until_s) {
  if (!steady()) {
    return false;
  }
  const auto most = steps_alike(static_cast<std::int64_t>(wheel_.distance(decode_steps_)) - 1);
  if (most < 1) {
    return false;
  }
  const auto front = pace_.steps - (static_cast<std::int64_t>(in_flight_) - 1);
  const auto steps = pace_.last_before(until_s, front + most - 1) - front + 1;
  if (steps < 1) {
    return false;
  }
  if (named_) {
    for (std::int64_t i = 0; i < steps; ++i, ++decode_steps_) {
      take_blocks_of_step();
    }
  } else {
    take_counted_blocks(steps);
  }
  decode_context_ += steps * decoding_;
  if (steps_to != nullptr) {
    steps_to->take({flying_[0].begin_s, pace_.end_s(front + steps - 1), steps, 0, decoding_, decoding_});
  }
  pace_.steps += steps;
  for (std::uint32_t i = 0; i < in_flight_; ++i) {
    const auto nth = pace_.steps - static_cast<std::int64_t>(in_flight_ - 1 - i);
    flying_[i].begin_s = pace_.end_s(nth - 1);
    flying_[i].end_s = pace_.end_s(nth);
  }
  counts_.steps += static_cast<std::uint64_t>(steps);
  counts_.decode_tokens += static_cast<std::uint64_t>(steps * decoding_);
  now_s_ = landed_s_ = pace_.end_s(front + steps - 1);
  return true;
}

void engine::state::take_counted_blocks(std::int64_t steps) {
  const auto size = static_cast<std::int64_t>(settings.block_size);
  auto blocks = steps / size * decoding_;
  const auto rest = steps % size;
  auto at = decode_steps_ % settings.block_size;
  for (std::int64_t i = 0; i < rest; ++i) {
    blocks += phase_count_[at];
    at = at + 1 == settings.block_size ? 0 : at + 1;
  }
  counted_.take(static_cast<std::uint32_t>(blocks));
  decode_steps_ += static_cast<std::uint64_t>(steps);
}

// Lands steps, or begins one for what was loaded; false: nothing of it happens by then.
bool engine::state::progress(double until_s) {
  if (in_flight_ > 0) {
    if (flying_[0].end_s > until_s) {
      return false;
    }
    if (!skip(until_s)) {
      land_front();
    }
    return true;
  }
  const auto ready_s = next_ready_s();
  if (ready_s > until_s || loading_.empty()) {
    return false;
  }
  now_s_ = pending_s_ = std::max(ready_s, now_s_);
  return true;
}

void engine::state::advance(double until_s) {
  bool more = true;
  while (more) {
    if (pending_s_ < until_s) {
      start(pending_s_);
    } else {
      more = pending_s_ == never_s && progress(until_s);
    }
  }
  if (until_s != never_s) {
    now_s_ = std::max(now_s_, until_s);
  }
}

double engine::state::next_s() {
  if (pending_s_ != never_s) {
    start(pending_s_);
  }
  if (in_flight_ == 0) {
    return next_ready_s();
  }
  if (!steady()) {
    return flying_[0].end_s;
  }
  // The step after those alike may end a sequence, or preempt one where it is put together: when the step
  // ends that is as many before it as are in flight.
  const auto alike = steps_alike(static_cast<std::int64_t>(wheel_.distance(decode_steps_)));
  return pace_.end_s(pace_.steps + alike + 1 - static_cast<std::int64_t>(in_flight_));
}

}  // namespace ridge::plan::serve
