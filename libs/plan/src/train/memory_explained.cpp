// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/units.hpp>

#include "memory_tables.hpp"

#include "figure_inputs.hpp"

namespace ridge::plan::train {
namespace {

constexpr auto korthikanti = "Korthikanti et al. (2022), Reducing Activation Recomputation, section 4";
constexpr auto zero = "Rajbhandari et al. (2020), ZeRO, section 5";
constexpr auto schedule = "Narayanan et al. (2021), section 2.2; Korthikanti et al. (2022), section 4.2.3";

std::string count(double n) { return fmt::format("{:.6g}", n); }

struct explanation {
  const memory_model& model;
  const training_plan& plan;
  const plan_rates& rates;
  const rank_memory& rank;
  stage_parameters held{};
  std::size_t stage = 0;
  derivation made{};

  figure& add(std::string id, std::string label, double value, std::string unit, std::string formula,
              std::vector<input> inputs, std::string source = {}) {
    made.push_back({.id = std::move(id),
                    .label = std::move(label),
                    .value = value,
                    .unit = std::move(unit),
                    .formula = std::move(formula),
                    .inputs = std::move(inputs),
                    .source = std::move(source)});
    return made.back();
  }
  void assumed(figure& f, double band) {
    f.basis = basis::assumed;
    f.relative_band = band;
  }
};

void explain_batch(explanation& e) {
  const auto& l = e.plan.layout;
  const auto& job = e.model.job();
  e.add("micro_batches", "Micro-batches per step", static_cast<double>(e.rates.micro_batches), "",
        "B / (dp · b)",
        {{"B", count(static_cast<double>(job.global_batch))},
         {"dp", count(l.data)},
         {"b", count(e.plan.micro_batch)}});
  e.add("tokens_per_micro_batch", "Tokens of a micro-batch per rank", e.rates.tokens, "", "b · s / cp",
        {{"b", count(e.plan.micro_batch)},
         {"s", count(static_cast<double>(job.sequence))},
         {"cp", count(l.context)}});
  const double in_flight =
      micro_batches_in_flight(e.plan, static_cast<std::int64_t>(e.stage), e.rates.micro_batches);
  const bool dual = e.plan.schedule == pipeline_schedule::dual_pipe;
  e.add("micro_batches_in_flight", "Micro-batches whose activations are kept", in_flight, "",
        dual                      ? "min(p + 1, m) / 2 of both stages of a rank"
        : l.virtual_pipeline == 1 ? "min(p - i, m)"
                                  : "min(2 (p - i) - 1 + (v - 1) p, m v) / v",
        {{"p", count(l.pipeline)},
         {"v", count(l.virtual_pipeline)},
         {"i", count(static_cast<double>(e.stage))},
         {"m", count(static_cast<double>(e.rates.micro_batches))}},
        dual ? "the table of deepseek-ai/DualPipe" : schedule);
}

std::string divided(bool by_data) { return by_data ? " / n" : ""; }

void explain_states(explanation& e) {
  const auto& s = e.model.settings();
  const auto& p = e.plan;
  const double n = sharding_ranks(s, p.layout) * p.copies();
  const input ranks{"n", fmt::format("{} ranks that divide a copy", count(n))};
  const bool lora = s.adapter_rank > 0;
  const std::string trained = lora ? "adapters" : "N";
  const auto& held = e.held;
  e.add("parameters_per_rank", "Parameters of the stage per rank, N, without routed experts", held.dense(),
        "", "Σ layers (divided / t + keys and values / min(t, KV) + whole) + embedding or head / t",
        {{"t", count(p.layout.tensor)}});
  if (lora)
    e.add("adapter_parameters_per_rank", "Parameters of adapters per rank", held.adapters, "",
          "Σ products r (in + out), the divided side / t",
          {{"r", count(static_cast<double>(s.adapter_rank))}, {"t", count(p.layout.tensor)}},
          "Hu et al. (2021), LoRA, section 4.1");
  e.add("weights_bytes", "Weights", e.rank.weights_bytes, "B",
        "N · w" + divided(p.shard >= sharding::weights) + (lora ? " + adapters · 2" : ""),
        {{"w", count(s.weight_bytes)}, ranks}, zero);
  e.add("gradients_bytes", "Gradients", e.rank.gradients_bytes, "B",
        trained + " · g" + divided(p.shard >= sharding::gradients), {{"g", count(s.gradient_bytes)}, ranks},
        zero);
  e.add("optimizer_bytes", "Optimizer", e.rank.optimizer_bytes, "B",
        trained + " · o" + divided(p.shard >= sharding::optimizer),
        {{"o", fmt::format("{} ({})", count(matrix_state_bytes(s)), name_of(s.optimizer))},
         {"o of embeddings and norms", count(vector_state_bytes(s))},
         ranks},
        zero);
}

void explain_experts(explanation& e) {
  if (!e.model.job().model.has_experts()) return;
  const auto& l = e.plan.layout;
  const double n = expert_sharding_ranks(e.model.settings(), l) * e.plan.copies();
  const std::vector<input> inputs{{"ep", count(l.expert)},
                                  {"etp", count(l.expert_tensor)},
                                  {"n", fmt::format("dp · cp · t / (ep · etp) = {}", count(n))}};
  e.add("expert_parameters_per_rank", "Parameters of routed experts per rank, N", e.held.experts, "",
        "Σ layers E · experts / (ep · etp)", inputs);
  e.add("expert_weights_bytes", "Weights of routed experts", e.rank.expert_weights_bytes, "B",
        "N · w" + divided(e.plan.shard >= sharding::weights), inputs, zero);
  e.add("expert_gradients_bytes", "Their gradients", e.rank.expert_gradients_bytes, "B",
        "N · g" + divided(e.plan.shard >= sharding::gradients), inputs, zero);
  e.add("expert_optimizer_bytes", "Their optimizer", e.rank.expert_optimizer_bytes, "B",
        "N · o" + divided(e.plan.shard >= sharding::optimizer), inputs, zero);
}

void explain_kept(explanation& e) {
  const auto& job = e.model.job();
  for (std::size_t k = 0; k < job.model.kinds.size(); ++k) {
    const auto tensors = kept_by_layer(job, e.model.settings(), job.model.kinds[k], e.plan);
    figure& f =
        e.add(fmt::format("kept_bytes_per_token_kind_{}", k),
              fmt::format("Kept per token by a layer of kind {} ({} layers)", k, job.model.layers_of(k)), 0,
              "B", "Σ kept tensors", {}, korthikanti);
    for (const auto& t : tensors) {
      f.value += t.bytes_per_token;
      f.inputs.push_back({t.name, fmt::format("{} = {}", t.formula, bytes_text(t.bytes_per_token))});
    }
  }
  e.add("activations_bytes", "Activations of layers", e.rank.activations_bytes, "B",
        "micro-batches in flight · tokens · Σ layers of the stage kept", {}, korthikanti);
  if (e.rank.embedding_activations_bytes > 0)
    e.add("embedding_activations_bytes", "Mask of dropout behind the embedding",
          e.rank.embedding_activations_bytes, "B", "tokens · h / t · min(p, m)", {}, korthikanti);
  e.add("logits_bytes", "Logits, final norm and input of the head", e.rank.logits_bytes, "B",
        "tokens · (V · bytes / t + 4 h / t), of the last stage",
        {{"V", count(static_cast<double>(job.model.vocabulary))},
         {"bytes", count(e.model.settings().logit_bytes)}},
        korthikanti);
}

void explain_rest(explanation& e) {
  const auto& s = e.model.settings();
  auto& work = e.add("workspace_bytes", "Workspace", e.rank.workspace_bytes, "B",
                     "a recomputed layer + its widest gradient + gathered weights and gradients of one layer "
                     "and weights of the next",
                     {});
  e.assumed(work, 0.5);
  auto& sent =
      e.add("communication_bytes", "Buffers of communication", e.rank.communication_bytes, "B",
            "pipeline 4 · 2 b s h, sequence 2 b s h, context 2 · keys and values, experts 2 · sent", {});
  e.assumed(sent, 0.5);
  auto& context =
      e.add("context_bytes", "CUDA context and NCCL", e.rank.context_bytes, "B",
            "context + communicators · bytes of one",
            {{"context", bytes_text(s.context_bytes)}, {"bytes of one", bytes_text(s.communicator_bytes)}},
            "an assumption: 24 channels of 2 buffers of 4 MiB (NCCL_BUFFSIZE) a group of ranks");
  e.assumed(context, 0.5);
  auto& lost = e.add("fragmentation_bytes", "Lost by the allocator", e.rank.fragmentation_bytes, "B",
                     "share · (activations + logits + workspace)", {{"share", count(s.fragmentation)}});
  e.assumed(lost, 1);
  auto& all = e.add("worst_rank_bytes", "The rank that needs most", e.rank.total_bytes(), "B",
                    "Σ of the above", {{"stage", count(static_cast<double>(e.stage))}});
  e.assumed(all, (0.5 * (e.rank.workspace_bytes + e.rank.communication_bytes + e.rank.context_bytes) +
                  e.rank.fragmentation_bytes) /
                     e.rank.total_bytes());
}

}  // namespace

derivation memory_model::explain(const training_plan& plan) const {
  const auto stages = by_stage(plan);
  const auto most = std::ranges::max_element(stages, {}, &rank_memory::total_bytes);
  const plan_rates rates(*tables_, plan);
  const auto stage = most - stages.begin();
  std::vector<std::int32_t> counts(tables_->kinds.size());
  tables_->count_layers(plan, stage, counts);
  explanation e{.model = *this,
                .plan = plan,
                .rates = rates,
                .rank = *most,
                .held = parameters_of_stage(rates, {stage, counts}),
                .stage = static_cast<std::size_t>(stage)};
  explain_batch(e);
  explain_states(e);
  explain_experts(e);
  explain_kept(e);
  explain_rest(e);
  return std::move(e.made);
}

}  // namespace ridge::plan::train
