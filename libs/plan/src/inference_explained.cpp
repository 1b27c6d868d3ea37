// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <ridge/base/units.hpp>

#include "inference_parts.hpp"

#include "figure_inputs.hpp"

namespace ridge::plan {
namespace {

struct explanation {
  derivation made{};

  figure& add(const char* id, const char* label, double value, std::string formula,
              std::vector<input> inputs = {}, const char* source = "") {
    made.push_back({.id = id,
                    .label = label,
                    .value = value,
                    .unit = "B",
                    .formula = std::move(formula),
                    .inputs = std::move(inputs),
                    .source = source});
    return made.back();
  }
  void estimated(basis origin, figure& f, double band) {
    f.basis = origin;
    f.relative_band = band;
  }
};

std::string count(std::int64_t n) { return fmt::format("{}", n); }

void explain_weights(explanation& e, const inference_setup& s, const inference_rank& r) {
  const auto format = s.weight_format.empty() ? s.model.weight_format : s.weight_format;
  const std::vector<input> inputs{{"e", format}, {"t", count(s.layout.tensor)}};
  e.add("embedding_bytes", "Embedding", r.embedding_bytes, "V · h · 2 / t");
  e.add("head_bytes", "Head", r.head_bytes, "V · h · 2 / t; none where tied on one stage");
  e.add("attention_bytes", "Attention", r.attention_bytes,
        "Σ layers (heads / t + keys and values / min(t, KV) + compressing) · e", inputs);
  e.add("feed_forward_bytes", "Dense blocks and shared experts", r.feed_forward_bytes, "Σ layers N / t · e",
        inputs);
  if (r.experts_bytes > 0)
    e.add("experts_bytes", "Routed experts", r.experts_bytes, "Σ layers N / (ep · etp) · e, or / t without",
          inputs);
  if (r.encoder_bytes > 0)
    e.add("encoder_bytes", "Encoder", r.encoder_bytes,
          "N of the encoder / t · e, of a vision tower / t · 2, on the first stage", inputs);
  if (r.adapters_bytes > 0)
    e.add("adapters_bytes", "Adapters (LoRA)", r.adapters_bytes,
          "K · 2 r Σ products (inputs + outputs), one of them divided by t",
          {{"K", count(s.adapters.on_gpu())}, {"r", count(s.adapters.rank)}},
          "vLLM, config/lora.py: fully_sharded_loras is off");
  e.add("other_weights_bytes", "Norms and routers", r.other_bytes, "Σ layers N · 2");
  e.add("weights_bytes", "Weights", r.weights_bytes(), "Σ of the above");
}

void explain_step(explanation& e, const inference_setup& s, const inference_rank& r) {
  auto& forward = e.add("forward_bytes", "Widest layer of a full step", r.forward_bytes,
                        "2 T (2 h + widest products)", {{"T", count(s.max_batched_tokens)}});
  e.estimated(basis::derived, forward, 0.3);
  auto& sampler =
      e.add("sampler_bytes", "Sampling", r.sampler_bytes, "sequences · V · bytes of a logit + 2 T h",
            {{"sequences", count(s.max_sequences)},
             {"V", count(s.model.vocabulary)},
             {"bytes of a logit", fmt::format("{}", s.sampler_bytes_per_logit)}},
            "vLLM, vllm/v1/sample/ops/topk_topp_sampler.py: sorts");
  e.estimated(basis::derived, sampler, 0.3);
  e.add("activations_bytes", "Activations", r.activations_bytes(), "max(widest layer, sampling)");
  auto& graphs = e.add("cuda_graph_bytes", "CUDA graphs", r.cuda_graph_bytes, "layers · bytes of one",
                       {{"bytes of one", bytes_text(s.graph_bytes_per_layer)}});
  e.estimated(basis::assumed, graphs, 0.8);
  auto& runtime = e.add("runtime_bytes", "Libraries, while the engine profiles", r.runtime_bytes, "", {},
                        "vLLM pull request 12126: 0.14 to 0.20 GiB");
  e.estimated(basis::measured, runtime, 0.3);
  auto& context = e.add(
      "context_bytes", "CUDA context and NCCL", r.context_bytes, "context + communicators · bytes of one",
      {{"context", bytes_text(s.context_bytes)}, {"bytes of one", bytes_text(s.communicator_bytes)}});
  e.estimated(basis::assumed, context, 0.5);
}

void explain_cache(explanation& e, const inference_setup& s, const inference_rank& r, double gpu_bytes,
                   const inference_load& load, const inference_capacity& c) {
  const auto rates = rates_of(r.cache);
  e.add("kv_bytes_per_token", "Cache per token on this rank", rates.bytes_per_token, "Σ layers rows · e",
        {{"e", s.kv_format}});
  e.add("kv_growth_bytes_per_token", "Of it, what still grows once windows are full",
        rates.growth_bytes_per_token, "");
  e.add("kv_fixed_bytes_per_sequence", "Full windows and states per sequence", rates.fixed_bytes_per_sequence,
        "");
  const auto budget = engine_budget_of(budget_question_of(s, r, gpu_bytes));
  std::vector<input> steps;
  for (const auto& step : budget->steps) steps.push_back({step.item, bytes_text(step.bytes)});
  e.add("kv_budget_bytes", "Left for the cache", c.budget_bytes, fmt::format("{}'s rule", name_of(s.engine)),
        steps);
  e.add("kv_needed_bytes", "Cache asked for", c.needed_bytes,
        "sequences / replicas · whole blocks per sequence",
        {{"sequences", count(load.sequences)},
         {"replicas", count(replicas_of(s.layout))},
         {"tokens", count(load.sequence_tokens)}});
  auto& all =
      e.add("worst_rank_bytes", "The rank that needs most, with its cache", r.fixed_bytes() + c.needed_bytes,
            "weights + activations + graphs + libraries + context + cache");
  e.estimated(basis::assumed, all,
              (0.3 * r.activations_bytes() + 0.8 * r.cuda_graph_bytes + 0.5 * r.context_bytes) / all.value);
}

}  // namespace

result<derivation> explain_inference_memory(const inference_setup& s, double gpu_bytes,
                                            const inference_load& load) {
  const auto ranks = inference_memory(s);
  if (!ranks) return ranks.why();
  const auto capacity = capacity_of(s, *ranks, gpu_bytes, load);
  if (!capacity) return capacity.why();
  const auto& r = (*ranks)[capacity->stage];
  explanation e;
  explain_weights(e, s, r);
  explain_step(e, s, r);
  explain_cache(e, s, r, gpu_bytes, load, *capacity);
  return std::move(e.made);
}

}  // namespace ridge::plan
