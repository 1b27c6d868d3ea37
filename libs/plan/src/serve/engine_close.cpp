// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "engine_state.hpp"

namespace ridge::plan::serve {

// All who decode take one token, and nobody else computes: a line of the timer gives the seconds.
bool engine::state::on_a_pace() const {
  return chunks_.empty() && idle_decodes_ == 0 && settings.speculative.tokens == 0;
}

// 0 where the timer does not ask.
std::int64_t engine::state::longest_context() const {
  std::int64_t longest = 0;
  if (!timer_->wants_longest()) {
    return longest;
  }
  for (auto slot = first_running_; slot != no_slot; slot = slots_[slot].after) {
    const auto& r = slots_[slot];
    if (r.is == phase::decoding) {
      longest = std::max(longest, r.offset + static_cast<std::int64_t>(decode_steps_));
    }
  }
  return longest;
}

// Sums of the step that is put together; the decodes' contexts hold this step's tokens already.
iteration engine::state::measured_step() const {
  iteration i;
  for (const auto& c : chunks_) {
    const auto tokens = static_cast<double>(c.tokens);
    i.prefill_tokens += c.tokens;
    i.prefill_context += c.context;
    i.prefill_pairs += tokens * (static_cast<double>(c.context) + (tokens + 1) / 2);
    i.sampled += c.context + c.tokens == slots_[c.slot].target ? 1 : 0;
  }
  i.prefill_sequences = static_cast<std::int64_t>(chunks_.size());
  if (decodes_) {
    i.decode_sequences = decoding_ - idle_decodes_;
    i.decode_tokens = i.decode_sequences * (settings.speculative.tokens + 1);
    i.decode_context = decode_context_ - idle_context_;
    i.decode_context_max = on_a_pace() ? 0 : longest_context();
    i.sampled += i.decode_tokens;
  }
  return i;
}

namespace {

// A step that only decodes runs as the smallest captured graph that holds it.
std::int64_t padded(std::int64_t sequences, const std::vector<std::uint32_t>& graphs) {
  const auto at =
      std::ranges::lower_bound(graphs, sequences, {}, [](std::uint32_t g) { return std::int64_t{g}; });
  return at == graphs.end() ? sequences : static_cast<std::int64_t>(*at);
}

}  // namespace

void engine::state::renew_pace(double start_s, std::int64_t context_before) {
  const auto line = timer_->decode_with_longest(padded(decoding_, settings.cuda_graph_sizes), decode_context_,
                                                longest_context());
  pace_ = {.start_s = start_s,
           .base_s = line.base_s,
           .per_context_s = line.per_context_s,
           .context = context_before,
           .sequences = decoding_,
           .up_to_context = line.up_to_context,
           .steps = 0,
           .valid = true};
  if (!settings.async_scheduling) {
    pace_.base_s += settings.host_s;
    return;
  }
  // The host sets the pace until the GPU's line crosses it.
  if (const auto gpu_s = line.base_s + line.per_context_s * static_cast<double>(decode_context_);
      gpu_s < settings.host_s) {
    const auto crossing =
        line.per_context_s > 0 ? (settings.host_s - line.base_s) / line.per_context_s : 9e18;
    pace_.up_to_context = crossing < static_cast<double>(line.up_to_context)
                              ? static_cast<std::int64_t>(crossing)
                              : line.up_to_context;
    pace_.base_s = settings.host_s;
    pace_.per_context_s = 0;
  }
}

double engine::state::step_end_s(double start_s, const iteration& i) {
  if (!on_a_pace()) {
    pace_.valid = false;
    const auto gpu_s = timer_->seconds(i);
    return start_s + (settings.async_scheduling ? std::max(gpu_s, settings.host_s) : gpu_s + settings.host_s);
  }
  if (!pace_.valid || decode_context_ > pace_.up_to_context) {
    renew_pace(start_s, decode_context_ - decoding_);
  }
  return pace_.end_s(++pace_.steps);
}

void engine::state::close_step(double now_s) {
  if (decodes_) {
    settle_walk();
    ++decode_steps_;
    decode_context_ += decoding_;
  }
  auto& step = flying_[in_flight_];
  const auto start_s = in_flight_ > 0 ? flying_[in_flight_ - 1].end_s : now_s;
  // An idle engine's pace starts anew: its last step did not end now.
  pace_.valid = pace_.valid && pace_.steps > 0 && pace_.end_s(pace_.steps) == start_s;
  const auto i = measured_step();
  step.begin_s = start_s;
  step.end_s = step_end_s(start_s, i);
  step.prefill_tokens = i.prefill_tokens;
  step.decode_tokens = i.decode_sequences + extra_tokens_;
  step.decode_sequences = i.decode_sequences;
  counts_.steps += 1;
  counts_.prefill_tokens += static_cast<std::uint64_t>(i.prefill_tokens);
  counts_.decode_tokens += static_cast<std::uint64_t>(i.decode_sequences + extra_tokens_);
  if (decodes_) {
    close_decodes(step);
  }
  close_chunks(step);
  ++in_flight_;
}

// Sequences whose last token this step gives compute no more.
void engine::state::close_decodes(flying_step& step) {
  auto slot = wheel_.head(decode_steps_);
  while (slot != no_slot) {
    const auto after = slots_[slot].wheel_after;
    if (slots_[slot].last_step == decode_steps_) {
      leave_decoding(slot);
      slots_[slot].is = phase::ending;
      step.last.push_back(slot);
    }
    slot = after;
  }
}

void engine::state::close_chunks(flying_step& step) {
  for (const auto& c : chunks_) {
    auto& r = slots_[c.slot];
    if (r.computed < r.target) {
      if (r.is == phase::waiting) {
        r.is = phase::prefilling;
        prefilling_.push_back(c.slot);
      }
      continue;
    }
    if (r.is == phase::prefilling) {
      std::erase(prefilling_, c.slot);
    }
    if (++r.generated == 1) {
      step.first.push_back(c.slot);
    }
    if (r.generated < outputs_of(r)) {
      join_decoding(c.slot);
    } else {
      r.is = phase::ending;
      step.last.push_back(c.slot);
    }
  }
}

}  // namespace ridge::plan::serve
