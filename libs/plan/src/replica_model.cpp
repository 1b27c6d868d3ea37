// SPDX-License-Identifier: Apache-2.0
#include "replica_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <ridge/stats/special.hpp>

#include "prefill_steps.hpp"

namespace ridge::plan {
namespace {

constexpr double endless = std::numeric_limits<double>::infinity();
constexpr double least_rate = 1e-6, most_rate = 1e9;

}  // namespace

replica_model::replica_model(const replica_offer& o, const serving_load& load, const latency_objective& slo,
                             const replica_policy& p)
    : offer_(o),
      slo_(slo),
      max_sequences_(p.max_sequences > 0 ? p.max_sequences : o.max_sequences),
      max_step_tokens_(p.max_step_tokens > 0 ? p.max_step_tokens : o.max_step_tokens),
      classes_(load.lengths) {
  double weights = 0, decoding = 0;
  for (const auto& c : classes_) weights += c.weight;
  for (auto& c : classes_) {
    c.weight /= weights;
    mean_output_ += c.weight * c.output_tokens;
    decoding += c.weight * c.output_tokens * (c.input_tokens + c.output_tokens / 2);
  }
  std::ranges::sort(classes_, {}, &length_class::input_tokens);
  context_ = decoding / mean_output_;  // weighted by length: long answers decode longer
}

double replica_model::longest_input() const {
  return std::ranges::max(classes_, {}, &length_class::input_tokens).input_tokens;
}

double replica_model::longest_request() const {
  double most = 0;
  for (const auto& c : classes_) most = std::max(most, c.input_tokens + c.output_tokens);
  return most;
}

double replica_model::decode_s(double running) const {
  return offer_.timer->seconds(decode_step(std::max(1.0, running), context_));
}

replica_model::prompt_time replica_model::prompt(double tokens, double running) const {
  const double room = std::max(1.0, max_step_tokens_ - running);
  const double chunks = std::ceil(tokens / room), chunk = tokens / chunks;
  const auto beside = decode_step(running, context_);
  const double alone_s = running > 0 ? offer_.timer->seconds(beside) : 0;
  prompt_time t;
  for (double c = 0; c < chunks; ++c) {
    const double step_s = offer_.timer->seconds(merged_step(prefill_step(chunk, c * chunk), beside));
    t.own_s += step_s;
    t.added_s += step_s - alone_s;
  }
  const double together_in = std::floor(room / tokens);
  t.queue_s = t.own_s;
  if (together_in < 2) return t;
  auto full = beside;
  const auto one = prefill_step(tokens, 0);
  for (double k = 0; k < together_in; ++k) full = merged_step(full, one);
  t.queue_s = offer_.timer->seconds(full) / together_in;
  return t;
}

replica_model::prompt_times replica_model::prompts(double running) const {
  prompt_times all;
  prompt_time t;
  double below = 0, before = 0;
  for (const auto& c : classes_) {
    if (c.input_tokens != before) t = prompt(c.input_tokens, running);
    before = c.input_tokens;
    all.mean.own_s += c.weight * t.own_s;
    all.mean.queue_s += c.weight * t.queue_s;
    all.mean.added_s += c.weight * t.added_s;
    all.added_square_s2 += c.weight * t.added_s * t.added_s;
    all.square_s2 += c.weight * t.own_s * t.own_s;
    if (below < slo_.quantile) all.quantile_s = t.own_s;
    below += c.weight;
  }
  return all;
}

// Prompts take a share of the engine's time from decoding.
double replica_model::tpot_at(double rate, double running, double batch) const {
  const double taken = rate * prompts(running).mean.added_s;
  return taken < 1 ? decode_s(batch) / (1 - taken) : endless;
}

// Little's law: running = rate · output · TPOT(running). Infinite beyond the sequences that a step holds.
double replica_model::solve_running(double rate) const {
  const auto excess = [&](double running) {
    return rate * mean_output_ * tpot_at(rate, running, running) - running;
  };
  double low = 0, high = max_sequences_;
  if (excess(high) > 0) return endless;
  constexpr int halvings = 40;
  for (int i = 0; i < halvings; ++i) {
    const double middle = (low + high) / 2;
    (excess(middle) > 0 ? low : high) = middle;
  }
  return high;
}

// An M/G/1 queue whose server takes all waiting prompts up to a full step: an arrival waits for the rest R of
// the step in progress, then for its share of the queue, W = R / (1 - load). Without batching that is the
// Pollaczek-Khinchine mean.
void replica_model::add_waiting(replica_state& s) const {
  const auto all = prompts(s.running);
  const auto& mean = all.mean;
  s.prefill_s = mean.own_s;
  s.prefill_load = s.requests_per_s * mean.queue_s;
  if (s.prefill_load >= 1) return;
  const double prefilling = std::min(1.0, s.requests_per_s * mean.own_s);
  const double decoding = (1 - prefilling) * (1 - std::exp(-s.running));
  const double step_s = decode_s(s.running);
  const double step_mean_s = all.square_s2 / mean.own_s;  // mean duration of the steps that an arrival meets
  const double residual_s = prefilling * step_mean_s / 2 + decoding * step_s / 2;
  s.wait_s = residual_s / (1 - s.prefill_load);
  s.ttft_s = offer_.request_s + s.wait_s + mean.own_s;
  const double missed = 1 - slo_.quantile;
  const double current_s = slo_.quantile * (prefilling > missed ? step_mean_s : decoding * step_s);
  const double line_s = s.wait_s - residual_s;
  const double line_quantile_s =
      s.prefill_load > missed ? line_s / s.prefill_load * std::log(s.prefill_load / missed) : 0;
  s.ttft_quantile_s =
      offer_.request_s + std::max(current_s + line_quantile_s + mean.own_s, s.wait_s + all.quantile_s);
}

// The number n of sequences varies around its mean: noise moves it away, and a TPOT that falls with n brings
// it back. Its variance is n / (1 - e), where e is the elasticity of TPOT in n; e = 0 gives a Poisson
// distribution. The TPOT of a request varies with n and with the number of prompts that arrive while it
// decodes.
void replica_model::add_decoding(replica_state& s) const {
  constexpr double small = 0.1, most_elastic = 0.95;
  const double rate = s.requests_per_s, n = s.running, z = stats::normal_quantile(slo_.quantile);
  const auto all = prompts(n);
  const double left = 1 - rate * all.mean.added_s;
  s.tpot_s = tpot_at(rate, n, n);
  const double step = std::max(1.0, small * n);
  const double elastic = (tpot_at(rate, n, n + step) / s.tpot_s - 1) * n / step;
  s.running_quantile = n + z * std::sqrt(n / (1 - std::min(elastic, most_elastic)));
  s.kv_tokens = s.running_quantile * context_;
  const double by_batch_s = tpot_at(rate, n, s.running_quantile) - s.tpot_s;
  const double decoding_s = mean_output_ * s.tpot_s;
  const double by_prompts_s = z * std::sqrt(rate * decoding_s * all.added_square_s2) / mean_output_ / left;
  s.tpot_quantile_s = s.tpot_s + std::hypot(by_batch_s, by_prompts_s);
}

replica_state replica_model::at(double requests_per_s) const {
  replica_state s{.requests_per_s = requests_per_s};
  s.running = solve_running(requests_per_s);
  if (std::isfinite(s.running)) {
    add_decoding(s);
    s.busy = 1 - (1 - std::min(1.0, requests_per_s * prompts(s.running).mean.own_s)) * std::exp(-s.running);
    add_waiting(s);
  }
  s.broken = first_broken(s);
  return s;
}

// The constraint that is violated first when no batch is large enough.
binding replica_model::overrun(double rate) const {
  const double slots = max_sequences_, room = static_cast<double>(offer_.kv_tokens) / context_;
  const double batch = std::min(slots, room);
  if (tpot_at(rate, batch, batch) == endless) return binding::compute;
  if (tpot_at(rate, batch, batch) > slo_.tpot_s) return binding::tpot;
  return room < slots ? binding::kv_cache : binding::sequences;
}

binding replica_model::first_broken(const replica_state& s) const {
  if (static_cast<double>(offer_.kv_tokens) < longest_request()) return binding::kv_cache;
  if (!std::isfinite(s.running)) return overrun(s.requests_per_s);
  if (s.tpot_quantile_s > slo_.tpot_s) return binding::tpot;
  if (s.kv_tokens > static_cast<double>(offer_.kv_tokens)) return binding::kv_cache;
  if (s.running_quantile > max_sequences_) return binding::sequences;
  if (s.prefill_load >= 1) return binding::compute;
  return s.ttft_quantile_s > slo_.ttft_s ? binding::ttft : binding::none;
}

double replica_model::max_rate() const {
  const auto fine = [&](double rate) { return at(rate).broken == binding::none; };
  if (!fine(least_rate)) return 0;
  double low = least_rate, high = 2 * least_rate;
  while (high < most_rate && fine(high)) {
    low = high;
    high *= 2;
  }
  constexpr int halvings = 30;
  for (int i = 0; i < halvings; ++i) {
    const double middle = (low + high) / 2;
    (fine(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace ridge::plan
