// SPDX-License-Identifier: Apache-2.0
#include "step_clock.hpp"

#include <algorithm>

namespace ridge::plan::serve {
namespace {

// A decode-only step runs as the smallest captured graph that is large enough.
std::int64_t padded(std::int64_t sequences, const std::vector<std::uint32_t>& graphs) {
  const auto found =
      std::ranges::lower_bound(graphs, sequences, {}, [](std::uint32_t g) { return std::int64_t{g}; });
  return found == graphs.end() ? sequences : static_cast<std::int64_t>(*found);
}

}  // namespace

step_clock::step_clock(const engine_context& context, const live_requests& live, lockstep_decoder& decoder,
                       const step_draft& draft, const iteration_timer& timer)
    : context_(&context), live_(&live), decoder_(&decoder), draft_(&draft), timer_(&timer) {}

// Whether all decoding sequences take one token and nothing else is computed: a line of the timer gives the
// seconds.
bool step_clock::is_on_a_pace() const {
  return draft_->chunks().empty() && draft_->idle_decodes == 0 && draft_->adapter_loads == 0 &&
         context_->settings.speculative.tokens == 0;
}

std::int64_t step_clock::longest_context() const {
  std::int64_t longest = 0;
  if (!timer_->wants_longest()) return longest;
  for (auto slot = live_->first_running(); slot != no_slot; slot = (*live_)[slot].after) {
    const auto& live = (*live_)[slot];
    if (live.is == phase::decoding) longest = std::max(longest, decoder_->computed(live));
  }
  return longest;
}

iteration step_clock::measured_step() const {
  iteration step;
  if (is_on_a_pace()) {
    step.sampled = step.decode_tokens = step.decode_sequences = decoder_->sequences();
    step.decode_context = decoder_->context_tokens();
    return step;
  }
  for (const auto& chunk : draft_->chunks()) {
    const auto tokens = static_cast<double>(chunk.tokens);
    step.prefill_tokens += chunk.tokens;
    step.prefill_context += chunk.context;
    step.prefill_pairs += tokens * (static_cast<double>(chunk.context) + (tokens + 1) / 2);
    step.sampled += chunk.context + chunk.tokens == (*live_)[chunk.slot].target ? 1 : 0;
  }
  step.prefill_sequences = static_cast<std::int64_t>(draft_->chunks().size());
  if (draft_->decodes) {
    step.decode_sequences = decoder_->sequences() - draft_->idle_decodes;
    step.decode_tokens = step.decode_sequences * (context_->settings.speculative.tokens + 1);
    step.decode_context = decoder_->context_tokens() - draft_->idle_context;
    step.decode_context_max = longest_context();
    step.sampled += step.decode_tokens;
  }
  return step;
}

// What the adapters of the admitted requests add to a step.
double step_clock::adapters_s(std::int64_t tokens) const {
  const auto& adapters = context_->settings.adapters;
  if (adapters.slots == 0) return 0;
  const auto loading_s = static_cast<double>(draft_->adapter_loads) * adapters.load_s;
  return loading_s + (adapters.timer ? adapters.timer->seconds(tokens, context_->adapters.active()) : 0);
}

// To encode the images whose first token is in a chunk of this step.
double step_clock::images_s() const {
  const auto& images = context_->settings.images;
  if (images.count == 0) return 0;
  std::uint64_t starting = 0;
  for (const auto& chunk : draft_->chunks()) {
    const auto input = context_->requests->input_tokens((*live_)[chunk.slot].id);
    for (std::uint32_t i = 1; i <= images.count; ++i) {
      const auto first = static_cast<std::int64_t>(input) - std::int64_t{i} * images.tokens;
      starting += first >= chunk.context && first < std::int64_t{chunk.context} + chunk.tokens ? 1 : 0;
    }
  }
  return images.seconds(starting);
}

void step_clock::renew_pace(double start_s, std::int64_t context_before) {
  const auto& settings = context_->settings;
  const auto sequences = decoder_->sequences();
  const auto rows = padded(sequences, settings.cuda_graph_sizes);
  auto line = timer_->decode_with_longest(rows, decoder_->context_tokens(), longest_context());
  line.base_s += adapters_s(rows);
  auto& pace = decoder_->pace();
  pace = {.start_s = start_s,
          .base_s = line.base_s,
          .per_context_s = line.per_context_s,
          .context = context_before,
          .sequences = sequences,
          .up_to_context = line.up_to_context,
          .steps = 0,
          .valid = true};
  if (settings.async_scheduling)
    hold_by_host(line);
  else
    pace.base_s += settings.host_s;
}

// The host limits the rate until the GPU's line crosses its time.
void step_clock::hold_by_host(const decode_line& line) {
  const auto host_s = context_->settings.host_s;
  const auto gpu_s = line.base_s + line.per_context_s * static_cast<double>(decoder_->context_tokens());
  if (!(gpu_s < host_s)) return;
  const auto crossing = line.per_context_s > 0 ? (host_s - line.base_s) / line.per_context_s : 9e18;
  auto& pace = decoder_->pace();
  pace.up_to_context = crossing < static_cast<double>(line.up_to_context)
                           ? static_cast<std::int64_t>(crossing)
                           : line.up_to_context;
  pace.base_s = host_s;
  pace.per_context_s = 0;
}

double step_clock::end_s(double start_s, const iteration& step) {
  auto& pace = decoder_->pace();
  if (!is_on_a_pace()) {
    const auto& settings = context_->settings;
    pace.valid = false;
    const auto gpu_s = timer_->seconds(step) + adapters_s(step.tokens()) + images_s();
    return start_s + (settings.async_scheduling ? std::max(gpu_s, settings.host_s) : gpu_s + settings.host_s);
  }
  if (!pace.valid || decoder_->context_tokens() > pace.up_to_context)
    renew_pace(start_s, decoder_->context_tokens() - decoder_->sequences());
  return pace.end_s(++pace.steps);
}

}  // namespace ridge::plan::serve
