// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/phase_rates.hpp>

#include <algorithm>
#include <cmath>

#include "prefill_steps.hpp"

namespace ridge::plan {
namespace {

// Seconds per prompt of `tokens` new tokens after `context` cached ones, computed in the fullest possible
// steps.
double prompt_seconds(const serve::iteration_timer& timer, double tokens, double context,
                      double step_tokens) {
  const double chunks = std::ceil(tokens / step_tokens);
  const double prompts = std::max(1.0, std::floor(step_tokens / tokens));
  double seconds = 0;
  for (double done = 0; done < tokens - 0.5; done += tokens / chunks) {
    const auto one = prefill_step(tokens / chunks, context + done);
    serve::iteration step;
    for (double p = 0; p < prompts; ++p) step = merged_step(step, one);
    seconds += timer.seconds(step);
  }
  return seconds / prompts;
}

}  // namespace

phase_rates rates_of(const serve::iteration_timer& timer, const request_lengths& l, std::int64_t batch,
                     std::int64_t max_step_tokens) {
  const auto step = static_cast<double>(max_step_tokens), sequences = static_cast<double>(batch);
  const double computed = l.input - l.cached_input;
  phase_rates r;
  if (computed >= 1) {
    const double alone = prompt_seconds(timer, computed, 0, step);
    r.input_per_s = computed / alone;
    const double more = prompt_seconds(timer, computed, l.cached_input, step) - alone;
    if (l.cached_input > 0 && more > 0) r.cached_input_per_s = l.cached_input / more;
  }
  r.output_per_s = sequences / timer.seconds(decode_step(sequences, l.input + l.output / 2));
  return r;
}

}  // namespace ridge::plan
