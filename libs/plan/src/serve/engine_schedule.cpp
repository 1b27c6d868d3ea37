// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "engine_state.hpp"

namespace ridge::plan::serve {

bool engine::state::schedule(double now_s) {
  chunks_.clear();
  preempted_ = decodes_ = walked_ = false;
  idle_decodes_ = idle_context_ = extra_tokens_ = 0;
  budget_ = settings.max_batched_tokens;
  serve(now_s);
  if (chunks_.empty() && (!decodes_ || idle_decodes_ == decoding_)) {
    return false;
  }
  close_step(now_s);
  return true;
}

// Who computes in this step, by the engine's rule.
void engine::state::serve(double now_s) {
  switch (settings.scheduler) {
    case scheduler_kind::sglang:
      serve_prompts();
      admit(now_s);
      if (chunks_.empty()) {
        serve_decodes(now_s);
      }
      return;
    case scheduler_kind::static_batching:
      if (running_ == 0) {
        admit_batch(now_s);
      }
      serve_prompts();
      if (prefilling_.empty() && chunks_.empty()) {
        serve_decodes(now_s);
      }
      blocked_ = running_ > 0;
      return;
    case scheduler_kind::vllm_v1:
    case scheduler_kind::trtllm_inflight:
    case scheduler_kind::trtllm_no_evict:
      serve_running(now_s);
      if (!preempted_) {
        admit(now_s);
      }
  }
}

void engine::state::serve_running(double now_s) {
  if (!everyone_fits()) {
    walk_running(now_s);
    return;
  }
  decodes_ = decoding_ > 0;
  if (decodes_) {
    take_blocks_of_step();
    budget_ -= static_cast<std::uint32_t>(decoding_);
  }
  serve_prompts();
}

void engine::state::serve_decodes(double now_s) {
  if (settings.speculative.tokens > 0 || phase_count_[decode_steps_ % settings.block_size] > free_blocks()) {
    walk_running(now_s);
    return;
  }
  decodes_ = decoding_ > 0;
  if (decodes_) {
    take_blocks_of_step();
  }
}

// Tokens of its prompt that this step may compute.
std::uint32_t engine::state::prompt_share(const live_request& r, std::uint32_t budget) const {
  auto tokens = r.target - r.computed;
  if (settings.long_prefill_tokens > 0) {
    tokens = std::min(tokens, settings.long_prefill_tokens);
  }
  return std::min(tokens, budget);
}

// Whether budget and blocks are enough for all that runs, so that their order does not matter. One prompt may
// be cut short by the budget where it is the last of the running.
bool engine::state::everyone_fits() const {
  if (settings.speculative.tokens > 0 || decoding_ > settings.max_batched_tokens) {
    return false;
  }
  auto budget = settings.max_batched_tokens - static_cast<std::uint32_t>(decoding_);
  std::uint64_t blocks = decoding_ > 0 ? phase_count_[decode_steps_ % settings.block_size] : 0;
  for (const auto slot : prefilling_) {
    const auto& r = slots_[slot];
    const auto tokens = prompt_share(r, budget);
    if (tokens < prompt_share(r, settings.max_batched_tokens) && slot != last_running_) {
      return false;
    }
    budget -= tokens;
    blocks += blocks_for(r.computed + tokens) - blocks_for(r.computed);
  }
  return blocks <= free_blocks();
}

void engine::state::serve_prompts() {
  for (const auto slot : prefilling_) {
    const auto& r = slots_[slot];
    const auto tokens = prompt_share(r, budget_);
    if (tokens == 0 || blocks_for(r.computed + tokens) - blocks_for(r.computed) > free_blocks()) {
      return;
    }
    compute_prompt(slot, tokens);
  }
}

void engine::state::compute_prompt(std::uint32_t slot, std::uint32_t tokens) {
  auto& r = slots_[slot];
  extend(slot, r.computed, r.computed + tokens);
  chunks_.push_back({slot, tokens, r.computed});
  r.computed += tokens;
  budget_ -= tokens;
  queued_tokens_ -= tokens;
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
  const auto line = timer_->decode(padded(decoding_, settings.cuda_graph_sizes), decode_context_);
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
  const bool pure = chunks_.empty() && idle_decodes_ == 0 && settings.speculative.tokens == 0;
  if (!pure) {
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
