// SPDX-License-Identifier: Apache-2.0
#include "engine_state.hpp"

#include <algorithm>
#include <utility>

#include <ridge/base/expects.hpp>

namespace ridge::plan::serve {

engine::state::state(engine_settings settings, const iteration_timer& timer, const request_table& requests)
    : context_(std::move(settings), requests),
      front_end_(context_),
      live_(context_),
      blocks_(context_, live_),
      decoder_(context_, live_, blocks_),
      draft_(context_, live_, blocks_),
      admission_(context_, live_, blocks_, decoder_, draft_, timer),
      scheduler_(context_, live_, blocks_, decoder_, admission_, draft_),
      clock_(context_, live_, decoder_, draft_, timer),
      depth_(context_.settings.async_scheduling ? 2 : 1) {
  expects(context_.settings.check().ok(), "engine: settings that fail their check");
  expects(check_prefixes(context_.settings, requests).ok(),
          "engine: block sizes of prefixes and cache do not divide");
}

void engine::state::submit(request_id request, double now_s, bool local) {
  ++context_.counts.submitted;
  const auto& settings = context_.settings;
  const bool handed_over = settings.role == engine_role::decode && !local;
  if (handed_over || settings.front_end_s + settings.request_s <= 0) {
    advance(now_s);
    return receive(request, now_s, local);
  }
  front_end_.enter(request, now_s, local);
}

// Hands a request to the scheduler.
void engine::state::receive(request_id request, double now_s, bool local) {
  if (admission_.can_never_run(request)) {
    ++context_.counts.rejected;
    context_.tell(now_s, request, engine_event_kind::rejected);
    return;
  }
  const auto slot = live_.claim(request, local);
  context_.queued_tokens += live_[slot].target;
  admission_.arrive(slot);
  if (in_flight_ == 0 && pending_s_ == never_s) pending_s_ = now_s;
}

// vLLM, v1/engine/core.py: outputs of the step that ended, then new arrivals, then the next step; with
// asynchronous scheduling the one after the next.
void engine::state::start(double now_s) {
  pending_s_ = never_s;
  if (in_flight_ == 0 && now_s != landed_s_) {
    busy_s_ += landed_s_ - busy_since_s_;
    busy_since_s_ = landed_s_ = now_s;
  }
  admission_.note_arrivals(now_s);
  while (in_flight_ < depth_ && scheduler_.schedule(now_s)) close_step(now_s);
}

void engine::state::close_step(double now_s) {
  scheduler_.decode();
  auto& step = flying_[in_flight_];
  const auto start_s = in_flight_ > 0 ? flying_[in_flight_ - 1].end_s : now_s;
  // A new run starts after idle time: the last step did not end now.
  auto& pace = decoder_.pace();
  pace.valid = pace.valid && pace.steps > 0 && pace.end_s(pace.steps) == start_s;
  const auto measured = clock_.measured_step();
  step.begin_s = start_s;
  step.end_s = clock_.end_s(start_s, measured);
  step.prefill_tokens = measured.prefill_tokens;
  step.decode_tokens = measured.decode_sequences + draft_.extra_tokens;
  step.decode_sequences = measured.decode_sequences;
  auto& counts = context_.counts;
  counts.steps += 1;
  counts.prefill_tokens += static_cast<std::uint64_t>(measured.prefill_tokens);
  counts.decode_tokens += static_cast<std::uint64_t>(step.decode_tokens);
  if (draft_.decodes) decoder_.remove_ended(step.last);
  close_chunks(step);
  ++in_flight_;
}

// Requests with complete prompts get a token from this step and decode from the next one on.
void engine::state::close_chunks(flying_step& step) {
  for (const auto& chunk : draft_.chunks()) {
    auto& live = live_[chunk.slot];
    if (live.computed < live.target) {
      if (live.is == phase::waiting) live_.start_prefilling(chunk.slot);
      continue;
    }
    if (live.is == phase::prefilling) live_.stop_prefilling(chunk.slot);
    if (++live.generated == 1) step.first.push_back(chunk.slot);
    if (live.generated < live_.outputs(live)) {
      decoder_.join(chunk.slot);
    } else {
      live.is = phase::ending;
      step.last.push_back(chunk.slot);
    }
  }
}

void engine::state::tell_front_step() {
  const auto& step = flying_[0];
  if (steps_sink_ != nullptr)
    steps_sink_->take(
        {step.begin_s, step.end_s, 1, step.prefill_tokens, step.decode_tokens, step.decode_sequences});
}

void engine::state::land_front() {
  tell_front_step();
  now_s_ = landed_s_ = flying_[0].end_s;
  if (--in_flight_ > 0) std::swap(flying_[0], flying_[1]);
  complete(flying_[in_flight_]);
  pending_s_ = now_s_;
}

// Handles the tokens of the step that ended.
void engine::state::complete(flying_step& step) {
  for (const auto slot : step.first) context_.tell(now_s_, live_[slot].id, engine_event_kind::first_token);
  for (const auto slot : step.last) finish(slot);
  step.first.clear();
  step.last.clear();
}

void engine::state::finish(std::uint32_t slot) {
  const auto id = live_[slot].id;
  const bool goes_on =
      context_.settings.role == engine_role::prefill && context_.requests->output_tokens(id) > 1;
  ++(goes_on ? context_.counts.handed_over : context_.counts.finished);
  context_.tell(now_s_, id, goes_on ? engine_event_kind::handed_over : engine_event_kind::finished);
  drop(slot);
}

// Removes a request and releases its blocks and its slot, so that others may be admitted.
void engine::state::drop(std::uint32_t slot) {
  blocks_.release(slot, false);
  live_.remove_running(slot);
  blocks_.forget(slot);
  live_.drop(slot);
  admission_.set_blocked(false);
}

// Ends steps, or begins one for loaded requests; false when neither happens by then.
bool engine::state::progress(double until_s) {
  if (in_flight_ > 0) {
    if (flying_[0].end_s > until_s) return false;
    if (!steady() || !(skip(until_s) || step_on(until_s))) land_front();
    return true;
  }
  const auto ready_s = admission_.next_ready_s();
  if (ready_s > until_s || !admission_.loads()) return false;
  now_s_ = pending_s_ = std::max(ready_s, now_s_);
  return true;
}

void engine::state::advance(double until_s) {
  while (!front_end_.empty() && front_end_.next_s() <= until_s) {
    const auto entered = front_end_.take();
    advance_steps(entered.ready_s);
    receive(entered.id, entered.ready_s, entered.local);
  }
  advance_steps(until_s);
}

void engine::state::advance_steps(double until_s) {
  bool more = true;
  while (more) {
    if (pending_s_ < until_s)
      start(pending_s_);
    else
      more = pending_s_ == never_s && progress(until_s);
  }
  if (until_s != never_s) now_s_ = std::max(now_s_, until_s);
}

bool engine::state::evict(request_id request, double now_s) {
  advance(now_s);
  const auto slot = live_.find(request);
  if (slot == no_slot) {
    const bool left = front_end_.remove(request);
    context_.counts.evicted += left ? 1 : 0;
    return left;
  }
  const auto& live = live_[slot];
  if (live.is == phase::decoding)
    decoder_.leave(slot);
  else if (live.is != phase::ending)
    context_.queued_tokens -= live.target - live.computed;
  live_.stop_prefilling(slot);
  admission_.remove(slot);
  for (auto& step : flying_) {
    std::erase(step.first, slot);
    std::erase(step.last, slot);
  }
  drop(slot);
  ++context_.counts.evicted;
  return true;
}

std::vector<request_id> engine::state::fail(double now_s) {
  advance(now_s);
  auto lost = live_.ids();
  front_end_.fail(now_s, lost);
  live_.clear();
  blocks_.clear();
  decoder_.clear();
  admission_.clear();
  flying_ = {};
  in_flight_ = 0;
  context_.queued_tokens = 0;
  pending_s_ = never_s;
  landed_s_ = now_s;
  return lost;
}

engine_load engine::state::load() const {
  auto context_tokens = static_cast<std::uint64_t>(decoder_.context_tokens());
  for (const auto slot : live_.prefilling()) context_tokens += live_[slot].computed;
  return {.running = live_.running(),
          .waiting = admission_.waiting() + front_end_.size(),
          .free_blocks = blocks_.free(),
          .queued_tokens = context_.queued_tokens + front_end_.tokens(),
          .context_tokens = context_tokens,
          .front_end_left_s = front_end_.left_s(now_s_),
          .step_left_s = in_flight_ > 0 ? std::max(0.0, flying_[in_flight_ - 1].end_s - now_s_) : 0,
          .blocked = admission_.blocked()};
}

engine_counts engine::state::counts() const {
  auto counts = context_.counts;
  counts.busy_s = busy_s_ + (in_flight_ > 0 ? now_s_ : landed_s_) - busy_since_s_;
  return counts;
}

}  // namespace ridge::plan::serve
