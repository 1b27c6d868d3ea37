// SPDX-License-Identifier: Apache-2.0
#include "first_token_forecast.hpp"

#include <algorithm>
#include <cmath>

namespace ridge::plan::serve {
namespace {

constexpr double memory_s = 5;  // of the rate of arrivals
constexpr double surge = 2;     // what comes within a few steps varies; so many times the mean is allowed for

// Work that lies before the first token.
struct queued_work {
  double tokens = 0;         // prompt tokens to compute
  double pairs_a_token = 0;  // query-key pairs of each
  std::int64_t decoding = 0, context = 0;
  double budget = 1;  // prompt tokens of a full step
};

queued_work work_before(const engine_settings& s, const engine_load& load, const asked_prompt& prompt) {
  queued_work w;
  const double own = static_cast<double>(prompt.tokens - std::min(prompt.tokens, prompt.cached));
  w.tokens = static_cast<double>(load.queued_tokens) + std::max(own, 1.0);
  // Of several prompts of unknown lengths, each token attends to half of the longest that is known.
  const double mean = w.tokens / (1.0 + load.waiting);
  w.pairs_a_token = (std::max(mean, static_cast<double>(prompt.tokens)) + 1 + prompt.cached) / 2;
  w.decoding = std::int64_t{load.running} + load.waiting;
  w.context = static_cast<std::int64_t>(load.context_tokens + load.queued_tokens) + w.decoding;
  const double verified = static_cast<double>(w.decoding) * (1.0 + s.speculative.tokens);
  w.budget = std::max(1.0, s.max_batched_tokens - verified);
  return w;
}

double step_s(const replica_pool& pool, const queued_work& w, double prompt_tokens) {
  const auto tokens = static_cast<std::int64_t>(std::ceil(prompt_tokens));
  const iteration step{.prefill_tokens = tokens,
                       .prefill_sequences = 1,
                       .prefill_pairs = static_cast<double>(tokens) * w.pairs_a_token,
                       .decode_sequences = w.decoding,
                       .decode_tokens = w.decoding * (1 + std::int64_t{pool.engine.speculative.tokens}),
                       .decode_context = w.context,
                       .decode_context_max = w.decoding > 0 ? 2 * w.context / w.decoding : 0,
                       .sampled = w.decoding + 1};
  return pool.timer->seconds(step);
}

// Whether the prompt starts without another request having to end first.
bool has_place(const engine_settings& s, const engine_load& load, const queued_work& w) {
  if (load.blocked) return false;
  if (s.scheduler == scheduler_kind::static_batching && load.running > 0) return false;
  if (w.decoding + 1 > std::int64_t{s.max_sequences}) return false;
  // Each of the sequences may begin a block in every step until then.
  const double steps = std::ceil(w.tokens / w.budget) + 1;
  const double grown = static_cast<double>(w.decoding) * std::ceil(steps / s.block_size);
  const double partial = static_cast<double>(load.waiting) + 1;
  return w.tokens / s.block_size + partial + grown + s.watermark * s.blocks <= load.free_blocks;
}

}  // namespace

void recent_rate::add(double now_s, double tokens) {
  if (!(begun_s_ < never_s)) begun_s_ = at_s_ = now_s;
  tokens_ = tokens_ * std::exp((at_s_ - now_s) / memory_s) + tokens;
  at_s_ = now_s;
}

// What came before the first arrival is unknown, and counts as what came after it.
double recent_rate::tokens_per_s(double now_s) const {
  if (!(now_s > begun_s_)) return 0;
  const double seen_s = memory_s * (1 - std::exp((begun_s_ - now_s) / memory_s));
  return tokens_ * std::exp((at_s_ - now_s) / memory_s) / seen_s;
}

double latest_first_token_s(const replica_pool& pool, const engine_load& load, const asked_prompt& prompt,
                            double arriving_tokens_per_s) {
  const auto work = work_before(pool.engine, load, prompt);
  if (!has_place(pool.engine, load, work)) return never_s;
  const double full_steps = std::ceil(work.tokens / work.budget) - 1;
  const double held_s = load.front_end_left_s + pool.engine.front_end_s + pool.engine.request_s;
  const double until_last_s =
      held_s + load.step_left_s + (full_steps > 0 ? full_steps * step_s(pool, work, work.budget) : 0.0);
  const double own = work.tokens - full_steps * work.budget;
  const double shared = surge * arriving_tokens_per_s * until_last_s;
  return until_last_s + step_s(pool, work, std::min(work.budget, own + shared));
}

}  // namespace ridge::plan::serve
