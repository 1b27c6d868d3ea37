// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include <ridge/app/exit_code.hpp>
#include <ridge/plan/train/parallelism.hpp>
#include <ridge/plan/train/step_time.hpp>
#include <ridge/plan_report/memory_page.hpp>

#include "input/plan_memory.hpp"
#include "input/plan_state_options.hpp"

namespace ridge::app_plan {
namespace {

using namespace plan::train;

struct memory_train_options {
  model_choice model{};
  gpu_choice gpu{};
  std::optional<double> memory{};
  training_plan plan{};        // layout and micro-batch; other options name the rest
  training_job job{};          // batch, sequence, type and masks
  memory_settings settings{};  // all but the formats and the optimizer
  state_options states{};
  std::string zero{"1"}, recompute{"none"}, schedule{"1f1b"};
  bool no_sequence_parallel = false, unfused = false, no_prediction = false;
  plan_output output{};
};

template <class T>
T word_of(const std::vector<std::string>& words, const std::string& given) {
  return static_cast<T>(std::ranges::find(words, given) - words.begin());
}

const std::vector<std::string> levels{"0", "1", "2", "3"};
const std::vector<std::string> recomputations{"none", "selective", "full"};

training_plan plan_of(const memory_train_options& o) {
  auto p = o.plan;
  p.recompute = o.settings.recompute_pointwise || o.settings.recompute_up_projections
                    ? recomputation::selective
                    : word_of<recomputation>(recomputations, o.recompute);
  p.shard = word_of<sharding>(levels, o.zero);
  p.sequence_parallel = !o.no_sequence_parallel;
  if (o.schedule == "dualpipe") p.schedule = pipeline_schedule::dual_pipe;
  return p;
}

// Without batch and sequence: those of `ridge plan parallelism`.
training_job job_of(const memory_train_options& o, plan::model_shape m) {
  auto j = o.job;
  j.model = std::move(m);
  if (j.global_batch == 0) j.global_batch = usual_global_batch(plan_of(o));
  if (j.sequence == 0) j.sequence = usual_sequence(j.model);
  j.fused_attention = !o.unfused;
  return j;
}

result<memory_settings> settings_of(const memory_train_options& o) {
  auto other = o.settings;
  other.optimizer = optimizer_of(o.states);
  other.train_prediction_layers = !o.no_prediction;
  const auto formats = formats_of(o.states);
  if (!formats) return formats.why();
  const auto s = settings_for(o.job.compute_type, *formats, other);
  if (const auto fine = check_settings(s); !fine) return fine.why();
  return s;
}

result<void> check_sizes(const memory_train_options& o) {
  constexpr std::int64_t most = std::int64_t{1} << 40;
  if (o.job.sequence < 0 || o.job.sequence > most)
    return error{fmt::format("--sequence {}: no length of a sequence", o.job.sequence),
                 "give tokens, 1 or more"};
  if (o.plan.micro_batch < 1)
    return error{fmt::format("--micro-batch {}", o.plan.micro_batch), "give sequences, 1 or more"};
  if (o.job.global_batch < 0 || o.job.global_batch > most)
    return error{fmt::format("--global-batch {}", o.job.global_batch), "give sequences, 1 or more"};
  return {};
}

result<void> check_batch(const training_job& job, const training_plan& p) {
  const auto together = std::int64_t{p.layout.data} * p.micro_batch;
  if (job.global_batch % together != 0)
    return error{fmt::format("a global batch of {} does not divide by DP {} times micro-batch {}",
                             job.global_batch, p.layout.data, p.micro_batch),
                 fmt::format("give a multiple of {}", together)};
  return check_schedule(p, micro_batches_of(job, p));
}

// A question that can be answered, and the GPU that it is about.
struct training_case {
  plan_report::training_memory_answer answer{};
  plan::accelerator gpu{};
};

result<training_case> training_case_of(const memory_train_options& o) {
  if (const auto fine = check_sizes(o); !fine) return fine.why();
  if (const auto fine = check_gpus(plan_of(o).layout); !fine) return fine.why();
  const auto shape = model_of(o.model);
  if (!shape) return shape.why();
  if (shape->stack == plan::model_stack::encoder_decoder)
    if (const auto fine = require_decoder(*shape, "memory of training"); !fine) return fine.why();
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
  return training_case{std::move(a), gpu->gpu};
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

int train(const app::context& context, const memory_train_options& o) {
  auto asked = training_case_of(o);
  if (!asked) return context.refuse(asked.why(), app::exit_code::usage);
  auto& answer = asked->answer;
  const memory_model model(answer.job, answer.settings);
  fill(answer, model, asked->gpu);
  return print_plan(context, o.output, plan_report::training_memory_page(answer), model.explain(answer.plan),
                    model.worst(answer.plan).total_bytes() <= answer.capacity_bytes);
}

void add_layout(app::command& command, memory_train_options& o) {
  command.option("--tp", o.plan.layout.tensor, "N", "Tensor-parallel ranks")
      .option("--pp", o.plan.layout.pipeline, "N", "Pipeline stages")
      .option("--vp", o.plan.layout.virtual_pipeline, "N", "Virtual stages per stage (interleaved 1F1B)")
      .choice("--schedule", o.schedule, {"1f1b", "dualpipe"}, "Schedule of the pipeline")
      .option("--cp", o.plan.layout.context, "N", "Context-parallel ranks")
      .option("--dp", o.plan.layout.data, "N", "Data-parallel ranks")
      .option("--ep", o.plan.layout.expert, "N", "Expert-parallel ranks, out of TP · CP · DP")
      .option("--etp", o.plan.layout.expert_tensor, "N", "Tensor-parallel ranks per expert")
      .option("--micro-batch", o.plan.micro_batch, "N", "Sequences per micro-batch")
      .option("--global-batch", o.job.global_batch, "N",
              "Sequences per step (one for 8 GPUs, at least 128, rounded up to what divides)")
      .option("--sequence", o.job.sequence, "TOKENS",
              "Tokens per sequence (the model's context, at most 8192)")
      .choice("--zero", o.zero, levels,
              "What data-parallel ranks divide: 1 optimizer, 2 gradients, 3 weights (FSDP)")
      .option("--shard-group", o.settings.shard_group, "N", "HSDP: ranks that share one copy (0: all)")
      .flag("--no-sequence-parallel", o.no_sequence_parallel, "Compute norms in full on every tensor rank");
}

void add_states(app::command& command, memory_train_options& o) {
  command.choice("--dtype", o.job.compute_type, {"bf16", "fp16", "fp8", "fp32"},
                 "Number format of matrix products");
  add_state_options(command, o.states);
  command.flag("--ema", o.settings.moving_average, "Keep an fp32 moving average of the weights")
      .option("--lora-rank", o.settings.adapter_rank, "R",
              "Train only LoRA adapters of this rank (0: all weights)");
}

void add_activations(app::command& command, memory_train_options& o) {
  command
      .choice("--recompute", o.recompute, recomputations,
              "Part of the forward pass that the backward pass recomputes")
      .flag("--recompute-pointwise", o.settings.recompute_pointwise,
            "Selective, including norms and activation functions")
      .flag("--recompute-latent", o.settings.recompute_up_projections,
            "That, and latent attention's queries, keys and values; with fp8, inputs of activations in fp8 "
            "(DeepSeek-V3)")
      .flag("--dropout", o.job.dropout, "Keep masks of dropout")
      .flag("--unfused-attention", o.unfused, "Keep attention scores, as without FlashAttention")
      .option("--loss-chunk", o.settings.loss_chunk_tokens, "TOKENS",
              "Tokens whose logits are computed at a time (0: all)")
      .option("--expert-imbalance", o.settings.expert_imbalance, "X",
              "Tokens of the busiest expert rank over the mean (1)")
      .flag("--no-prediction-layers", o.no_prediction, "Do not train multi-token prediction layers");
}

}  // namespace

void add_plan_memory_train(app::command& command, app::context& context) {
  auto o = std::make_shared<memory_train_options>();
  auto& verb =
      command.add("train", "Memory of training: weights, gradients, optimizer, activations of each stage");
  add_model_choice(verb, o->model);
  add_gpu_choice(verb, o->gpu);
  verb.option("--memory", o->memory, "GIB", "Memory per GPU, instead of the catalogue's");
  add_layout(verb, *o);
  add_states(verb, *o);
  add_activations(verb, *o);
  add_plan_output(verb, o->output);
  verb.notes(
          "When it does not fit, or barely, changes that would help are evaluated one by one, with the step "
          "time that each costs. docs/design/plan/memory.md")
      .runs([&context, o] { return train(context, *o); });
}

}  // namespace ridge::app_plan
