// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include <ridge/app/exit_code.hpp>
#include <ridge/plan/number_format.hpp>
#include <ridge/plan/train/step_time.hpp>
#include <ridge/plan_report/memory_page.hpp>

#include "input/plan_memory.hpp"

namespace ridge::app_plan {
namespace {

using namespace plan::train;

struct options {
  model_choice model{};
  gpu_choice gpu{};
  std::optional<double> memory{};
  int tp = 1, pp = 1, vp = 1, cp = 1, dp = 1, ep = 1, etp = 1;
  int micro_batch = 1;
  std::int64_t global_batch = 0, sequence = 4096;
  std::string zero{"1"}, recompute{"none"}, optimizer{"adam"}, dtype{"bf16"};
  std::string weights{}, gradients{}, moments{"fp32"}, master{};
  bool pointwise = false, no_sequence_parallel = false, dropout = false, unfused = false, ema = false;
  bool fp8_activations = false, no_prediction = false;
  std::int64_t shard_group = 0, lora_rank = 0, loss_chunk = 0;
  double imbalance = 1;
  plan_output as{};
};

template <class T>
T word_of(const std::vector<std::string>& words, const std::string& given) {
  return static_cast<T>(std::ranges::find(words, given) - words.begin());
}

const std::vector<std::string> levels{"0", "1", "2", "3"};
const std::vector<std::string> recomputations{"none", "selective", "full"};
const std::vector<std::string> optimizers{"adam", "adam8bit", "sgd", "muon"};

training_plan plan_of(const options& o) {
  training_plan p{.micro_batch = o.micro_batch};
  p.layout = {.tensor = o.tp, .pipeline = o.pp, .virtual_pipeline = o.vp, .context = o.cp, .data = o.dp};
  p.layout.expert = o.ep;
  p.layout.expert_tensor = o.etp;
  p.recompute = o.pointwise ? recomputation::selective : word_of<recomputation>(recomputations, o.recompute);
  p.shard = word_of<sharding>(levels, o.zero);
  p.sequence_parallel = !o.no_sequence_parallel;
  return p;
}

// Without a batch: enough to fill the pipeline, four times over.
training_job job_of(const options& o, plan::model_shape m) {
  training_job j{.model = std::move(m), .global_batch = o.global_batch, .sequence = o.sequence};
  if (j.global_batch == 0) j.global_batch = std::int64_t{o.dp} * o.micro_batch * (o.pp > 1 ? 4 * o.pp : 1);
  j.compute_type = o.dtype;
  j.dropout = o.dropout;
  j.fused_attention = !o.unfused;
  return j;
}

result<double> bytes_of(const std::string& format) {
  if (format == "none") return 0.0;
  const auto known = plan::number_format_named(format);
  if (!known) return known.why();
  return known->bytes_per_element;
}

// Training in fp32 has no second copy; fp8 products read bf16 weights unless --weights-dtype says other.
result<memory_settings> settings_of(const options& o) {
  memory_settings s{.optimizer = word_of<optimizer_kind>(optimizers, o.optimizer)};
  const bool single = o.dtype == "fp32";
  const auto weights = bytes_of(!o.weights.empty() ? o.weights : single ? "fp32" : "bf16");
  const auto gradients = bytes_of(o.gradients.empty() ? "fp32" : o.gradients);
  const auto master = bytes_of(!o.master.empty() ? o.master : single ? "none" : "fp32");
  const auto moments = bytes_of(o.moments);
  for (const auto* one : {&weights, &gradients, &master, &moments})
    if (!*one) return one->why();
  s.weight_bytes = *weights;
  s.gradient_bytes = *gradients;
  s.master_bytes = *master;
  s.moment_bytes = *moments;
  s.moving_average = o.ema;
  s.shard_group = o.shard_group;
  s.adapter_rank = o.lora_rank;
  s.fp8_activations = o.fp8_activations;
  s.recompute_pointwise = o.pointwise;
  s.train_prediction_layers = !o.no_prediction;
  s.loss_chunk_tokens = o.loss_chunk;
  s.expert_imbalance = o.imbalance;
  if (const auto fine = check_settings(s); !fine) return fine.why();
  return s;
}

result<void> check_sizes(const options& o) {
  constexpr std::int64_t most = std::int64_t{1} << 40;
  if (o.sequence < 1 || o.sequence > most)
    return error{fmt::format("--sequence {}: no length of a sequence", o.sequence), "give tokens, 1 or more"};
  if (o.micro_batch < 1)
    return error{fmt::format("--micro-batch {}", o.micro_batch), "give sequences, 1 or more"};
  if (o.global_batch < 0 || o.global_batch > most)
    return error{fmt::format("--global-batch {}", o.global_batch), "give sequences, 1 or more"};
  return {};
}

result<void> check_batch(const training_job& job, const training_plan& p) {
  const auto together = std::int64_t{p.layout.data} * p.micro_batch;
  if (job.global_batch % together != 0)
    return error{fmt::format("a global batch of {} does not divide by DP {} times micro-batch {}",
                             job.global_batch, p.layout.data, p.micro_batch),
                 fmt::format("give a multiple of {}", together)};
  const auto m = micro_batches_of(job, p);
  if (p.layout.virtual_pipeline > 1 && m % p.layout.pipeline != 0)
    return error{fmt::format("{} micro-batches do not divide by {} interleaved stages", m, p.layout.pipeline),
                 "give a global batch of a multiple of DP · micro-batch · PP"};
  return {};
}

result<plan_report::training_memory_answer> answer_of(const options& o) {
  if (const auto fine = check_sizes(o); !fine) return fine.why();
  if (const auto fine = check_gpus(plan_of(o).layout); !fine) return fine.why();
  const auto shape = model_of(o.model);
  if (!shape) return shape.why();
  const auto gpu = memory_of_gpu_of(o.gpu, o.memory);
  if (!gpu) return gpu.why();
  const auto settings = settings_of(o);
  if (!settings) return settings.why();
  plan_report::training_memory_answer a{.job = job_of(o, *shape),
                                        .settings = *settings,
                                        .plan = plan_of(o),
                                        .gpu = gpu->gpu.name,
                                        .capacity_bytes = gpu->bytes};
  if (const auto fine = check_layout(a.job.model, a.plan.layout); !fine) return fine.why();
  if (const auto fine = check_batch(a.job, a.plan); !fine) return fine.why();
  return a;
}

void fill(plan_report::training_memory_answer& a, const memory_model& model, const plan::accelerator& gpu) {
  a.stages = model.by_stage(a.plan);
  a.timeline = step_timeline(model, a.plan);
  if (model.worst(a.plan).total_bytes() <= plan_report::barely * a.capacity_bytes) return;
  const step_model time(a.job, gpu, plan::usual_interconnect(gpu), training_coefficients_of(gpu));
  a.advice = advise(model, a.plan, a.capacity_bytes,
                    {.step_s = [&](const training_plan& p) { return time.time(p).total_s; },
                     .bandwidth_bytes_per_s = gpu.bandwidth_bytes_per_s});
}

int train(const app::context& in, const options& o) {
  auto a = answer_of(o);
  if (!a) return in.refuse(a.why(), app::exit_code::usage);
  const memory_model model(a->job, a->settings);
  fill(*a, model, memory_of_gpu_of(o.gpu, o.memory)->gpu);
  return print_plan(in, o.as, plan_report::training_memory_page(*a), model.explain(a->plan));
}

void add_layout(app::command& to, options& o) {
  to.option("--tp", o.tp, "N", "Tensor-parallel ranks")
      .option("--pp", o.pp, "N", "Pipeline stages")
      .option("--vp", o.vp, "N", "Virtual stages a stage (interleaved 1F1B)")
      .option("--cp", o.cp, "N", "Context-parallel ranks")
      .option("--dp", o.dp, "N", "Data-parallel ranks")
      .option("--ep", o.ep, "N", "Expert-parallel ranks, of TP · CP · DP")
      .option("--etp", o.etp, "N", "Tensor-parallel ranks of an expert")
      .option("--micro-batch", o.micro_batch, "N", "Sequences of a micro-batch")
      .option("--global-batch", o.global_batch, "N", "Sequences of a step (default: four pipelines full)")
      .option("--sequence", o.sequence, "TOKENS", "Length of a sequence (4096)")
      .choice("--zero", o.zero, levels,
              "What data-parallel ranks share: 1 optimizer, 2 gradients, 3 weights (FSDP)")
      .option("--shard-group", o.shard_group, "N", "HSDP: ranks that share one copy (0: all)")
      .flag("--no-sequence-parallel", o.no_sequence_parallel, "Norms whole on every tensor rank");
}

void add_states(app::command& to, options& o) {
  to.choice("--optimizer", o.optimizer, optimizers, "What is kept of each parameter")
      .choice("--dtype", o.dtype, {"bf16", "fp16", "fp8", "fp32"}, "Number format of matrix products")
      .option("--weights-dtype", o.weights, "FORMAT",
              "Number format of the weights that products read (bf16)")
      .option("--gradients-dtype", o.gradients, "FORMAT", "Number format of accumulated gradients (fp32)")
      .option("--master-dtype", o.master, "FORMAT",
              "Number format of the optimizer's copy of the weights, or none (fp32)")
      .option("--moments-dtype", o.moments, "FORMAT", "Number format of the optimizer's moments (fp32)")
      .flag("--ema", o.ema, "An fp32 moving average of the weights")
      .option("--lora-rank", o.lora_rank, "R", "Train adapters of this rank alone (0: everything)");
}

void add_activations(app::command& to, options& o) {
  to.choice("--recompute", o.recompute, recomputations, "What the backward pass computes again")
      .flag("--recompute-pointwise", o.pointwise, "Selective, and norms and activation functions too")
      .flag("--fp8-activations", o.fp8_activations, "Keep inputs of products in fp8")
      .flag("--dropout", o.dropout, "Keep masks of dropout")
      .flag("--unfused-attention", o.unfused, "Keep scores: no FlashAttention")
      .option("--loss-chunk", o.loss_chunk, "TOKENS", "Logits of so many tokens at a time (0: all)")
      .option("--expert-imbalance", o.imbalance, "X", "Tokens of the busiest expert rank over the mean (1)")
      .flag("--no-prediction-layers", o.no_prediction, "Leave multi-token prediction layers out");
}

}  // namespace

void add_plan_memory_train(app::command& of, app::context& in) {
  auto o = std::make_shared<options>();
  auto& to = of.add("train", "Memory of training: weights, gradients, optimizer, activations of each stage");
  add_model_choice(to, o->model);
  add_gpu_choice(to, o->gpu);
  to.option("--memory", o->memory, "GIB", "Memory of a GPU, in place of the catalogue's");
  add_layout(to, *o);
  add_states(to, *o);
  add_activations(to, *o);
  add_plan_output(to, o->as);
  to.notes(
        "Where it does not fit, or barely, changes that would help are evaluated one by one, with the step "
        "time that each costs. docs/design/plan/memory.md")
      .runs([&in, o] { return train(in, *o); });
}

}  // namespace ridge::app_plan
