// SPDX-License-Identifier: Apache-2.0
#include <ridge/analysis/deployments.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <ridge/analysis/power.hpp>
#include <ridge/plan/cluster_sizing.hpp>
#include <ridge/plan/inference_memory.hpp>
#include <ridge/plan/kernels/efficiency.hpp>
#include <ridge/plan/kernels/engine_profile.hpp>
#include <ridge/plan/kernels/step_timer.hpp>
#include <ridge/plan/replica_offers.hpp>

namespace ridge::analysis {
namespace {

std::int64_t whole(double v) { return std::llround(v); }

// One GPU, tensor degree and pair of formats, common to all batches.
struct variant {
  const gpu_offer* offer = nullptr;
  plan::inference_setup setup{};
  std::vector<plan::inference_rank> ranks{};
  std::shared_ptr<plan::kernels::step_timer> timer{};
};

result<variant> variant_of(const deployment_question& q, const gpu_offer& offer, int tensor,
                           const std::string& weights, const std::string& kv) {
  variant v{.offer = &offer};
  v.setup.model = q.model;
  v.setup.layout.tensor = tensor;
  v.setup.weight_format = weights;
  v.setup.kv_format = kv;
  const auto layout = check_layout(q.model, v.setup.layout);
  if (!layout) return layout.why();
  v.setup = with_engine_steps(std::move(v.setup), offer.gpu);
  auto ranks = inference_memory(v.setup);
  if (!ranks) return ranks.why();
  v.ranks = std::move(*ranks);
  const auto kernels = plan::kernels::analytic_times(offer.gpu, offer.efficiencies == nullptr
                                                                    ? plan::kernels::embedded_efficiencies()
                                                                    : *offer.efficiencies);
  const auto engine = plan::kernels::engine_named("vllm");
  if (!engine) return engine.why();
  plan::kernels::step_request step{.model = q.model,
                                   .gpu = offer.gpu,
                                   .layout = v.setup.layout,
                                   .weight_format = weights,
                                   .kv_format = kv,
                                   .max_context = whole(q.input_tokens + q.output_tokens) + 1};
  plan::kernels::apply(*engine, step);
  auto timer = make_step_timer(step, *kernels);
  if (!timer) return timer.why();
  v.timer = std::move(*timer);
  return v;
}

// What a GPU must have for the engine's rule to leave room for the batch.
double vram_of(const variant& v, const deployment_question& q, int batch) {
  const auto length = whole(q.input_tokens + q.output_tokens);
  double most = 0;
  for (const auto& r : v.ranks) {
    const auto taken = budget_question_of(v.setup, r, v.offer->gpu.memory_bytes);
    const double used = taken.weight_bytes + taken.activation_bytes + taken.graph_bytes + taken.context_bytes;
    most =
        std::max(most, (used + batch * sequence_bytes(r.cache, length, v.setup.block_tokens)) / taken.share);
  }
  return most;
}

plan::serve::iteration prompt_of(double tokens) {
  return {.prefill_tokens = whole(tokens),
          .prefill_sequences = 1,
          .prefill_pairs = tokens * (tokens + 1) / 2,
          .sampled = 1};
}

plan::serve::iteration decode_of(int batch, double context) {
  return {.decode_sequences = batch,
          .decode_tokens = batch,
          .decode_context = whole(batch * context),
          .decode_context_max = whole(context),
          .sampled = batch};
}

// A closed loop of `batch` clients: a token of a sequence takes a decode step and a share of the prompts of
// the others that are computed in between.
struct pace {
  double ttft_s = 0, decode_s = 0, tpot_s = 0, latency_s = 0;
};

pace pace_of(const variant& v, const deployment_question& q, int batch) {
  pace p;
  const double prefill_s = v.timer->seconds(prompt_of(q.input_tokens));
  p.ttft_s = v.timer->engine().outside_steps_s() + prefill_s;
  p.decode_s = v.timer->seconds(decode_of(batch, q.input_tokens + q.output_tokens / 2));
  p.tpot_s = p.decode_s + (batch - 1) * prefill_s / q.output_tokens;
  p.latency_s = p.ttft_s + (q.output_tokens - 1) * p.tpot_s;
  return p;
}

void add_tail(candidate& c, const variant& v, const deployment_question& q, double requests_per_s) {
  const plan::serving_load load{
      .requests_per_s = requests_per_s,
      .lengths = {{.input_tokens = q.input_tokens, .output_tokens = q.output_tokens}}};
  const plan::replica_offer offer{.gpu = v.offer->gpu.name,
                                  .gpus = v.setup.layout.tensor,
                                  .kv_tokens = std::int64_t{1} << 40,
                                  .timer = v.timer,
                                  .request_s = v.timer->engine().outside_steps_s(),
                                  .max_sequences = static_cast<int>(v.setup.max_sequences),
                                  .max_step_tokens = static_cast<int>(v.setup.max_batched_tokens)};
  const auto state =
      replica_at(offer, load, {.ttft_s = 1e9, .tpot_s = 1e9, .quantile = 0.95}, {}, requests_per_s);
  if (std::isfinite(state.ttft_quantile_s) && state.ttft_quantile_s > 0)
    c.values["ttft.p95"] = state.ttft_quantile_s;
}

void add_power(candidate& c, const variant& v, const deployment_question& q, const pace& p, int batch) {
  const auto* model = power_model_of(v.offer->gpu.name);
  if (model == nullptr) return;
  const auto& rank = v.ranks.front();
  const double read =
      rank.weights_bytes() + batch * sequence_bytes(rank.cache, whole(q.input_tokens + q.output_tokens / 2));
  const double active = static_cast<double>(count_parameters(q.model).active_without_input_embedding());
  const double tokens_per_s =
      batch * (q.output_tokens + q.input_tokens) / p.latency_s / v.setup.layout.tensor;
  const double decoding = p.decode_s / p.tpot_s;  // share of the time in decode steps
  const double memory = std::min(1.0, decoding * read / p.decode_s / v.offer->gpu.bandwidth_bytes_per_s);
  const double compute = std::min(1.0, 2 * active * tokens_per_s / v.offer->gpu.peak_flop_per_s("bf16"));
  c.values["power"] = v.setup.layout.tensor * model->at(memory, compute);
  c.values["energy"] = c.values["power"] / c.values["throughput"];
}

candidate evaluated(const variant& v, const deployment_question& q, int batch, bool narrower) {
  const auto& s = v.setup;
  candidate c{.name = fmt::format("{} x {}, weights {}, KV {}, batch {}", s.layout.tensor, v.offer->gpu.name,
                                  s.weight_format.empty() ? q.model.weight_format : s.weight_format,
                                  s.kv_format, batch),
              .basis = "modelled",
              .settings = {{"gpu", v.offer->gpu.name},
                           {"tensor", std::to_string(s.layout.tensor)},
                           {"weights", s.weight_format.empty() ? q.model.weight_format : s.weight_format},
                           {"kv", s.kv_format},
                           {"batch", std::to_string(batch)}}};
  c.values["vram"] = vram_of(v, q, batch);
  c.values["gpus"] = s.layout.tensor;
  if (const auto held = capacity_of(s, v.ranks, v.offer->gpu.memory_bytes, {}))
    c.values["kv_tokens"] = static_cast<double>(held->tokens);
  if (!narrower) c.values["quality"] = 0;
  if (c.values["vram"] > v.offer->gpu.memory_bytes) return c;
  const auto p = pace_of(v, q, batch);
  c.values["ttft"] = p.ttft_s;
  c.values["tpot"] = p.tpot_s;
  c.values["latency"] = p.latency_s;
  c.values["throughput"] = batch * q.output_tokens / p.latency_s;
  add_tail(c, v, q, batch / p.latency_s);
  if (v.offer->usd_per_hour)
    c.values["cost"] = *v.offer->usd_per_hour * s.layout.tensor / 3600 / c.values["throughput"] * 1e6;
  add_power(c, v, q, p, batch);
  return c;
}

std::vector<int> degrees_of(const deployment_question& q, const plan::accelerator& gpu) {
  constexpr int most = 8;
  return q.tensor.empty() ? plan::tensor_degrees(gpu, most) : q.tensor;
}

std::vector<int> batches_of(const deployment_question& q) {
  if (!q.batches.empty()) return q.batches;
  std::vector<int> all;
  for (int b = 1; b <= 256; b *= 2) all.push_back(b);
  return all;
}

std::vector<std::string> weights_of(const deployment_question& q) {
  if (!q.weight_formats.empty()) return q.weight_formats;
  if (q.model.weight_format != "bf16" && q.model.weight_format != "fp16") return {""};
  return {"", "fp8", "int4_g128"};
}

bool is_wide(const std::string& format) { return format.empty() || format == "bf16" || format == "fp16"; }

}  // namespace

bool has_memory(const plan::accelerator& gpu, double bytes) {
  constexpr double gib_over_gb = 1073741824.0 / 1e9, tolerance = 0.015;
  for (const double size : {bytes, bytes * gib_over_gb, bytes / gib_over_gb}) {
    if (std::fabs(gpu.memory_bytes / size - 1) <= tolerance) return true;
  }
  return false;
}

result<std::vector<candidate>> deployments(const deployment_question& q) {
  if (!(q.input_tokens >= 1) || !(q.output_tokens >= 1))
    return error{"input and output tokens must be at least 1", "give both lengths of a request"};
  if (const auto fine = check_request(q.model, whole(q.input_tokens + q.output_tokens)); !fine)
    return fine.why();
  std::vector<candidate> all;
  error why{"no GPU is given", "name one with --gpu"};
  const auto kvs = q.kv_formats.empty() ? std::vector<std::string>{"bf16", "fp8"} : q.kv_formats;
  for (const auto& gpu : q.gpus) {
    for (const int tensor : degrees_of(q, gpu.gpu)) {
      for (const auto& weights : weights_of(q)) {
        for (const auto& kv : kvs) {
          const auto v = variant_of(q, gpu, tensor, weights, kv);
          if (!v) why = v.why();
          if (!v) continue;
          for (const int batch : batches_of(q))
            all.push_back(evaluated(*v, q, batch, !is_wide(weights) || !is_wide(kv)));
        }
      }
    }
  }
  if (all.empty()) return why;
  return all;
}

}  // namespace ridge::analysis
