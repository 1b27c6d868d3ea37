// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include <ridge/app/exit_code.hpp>
#include <ridge/plan_report/memory_page.hpp>

#include "input/plan_memory.hpp"

namespace ridge::app_plan {
namespace {

struct options {
  model_choice model{};
  gpu_choice gpu{};
  std::optional<double> memory{}, utilization{};
  int tp = 1, pp = 1, cp = 1, dp = 1, ep = 1, etp = 1;
  bool dp_attention = false, experts_only = false, no_graphs = false;
  std::int64_t batch = 1, tokens = 4096;
  std::int64_t max_batched_tokens = 8192, max_sequences = 256, block_size = 16;
  std::string weights{}, kv{"bf16"}, engine{"vllm"};
  plan_output as{};
};

result<plan::inference_setup> setup_of(const options& o) {
  const auto shape = model_of(o.model);
  if (!shape) return shape.why();
  const auto engine = plan::cache_engine_named(o.engine);
  if (!engine) return engine.why();
  if (o.utilization && !(*o.utilization > 0 && *o.utilization <= 1))
    return error{fmt::format("--utilization {}: no share", *o.utilization),
                 "give more than 0 and at most 1: 0.9"};
  plan::inference_setup s{
      .model = *shape, .weight_format = o.weights, .quantize_experts_only = o.experts_only};
  s.layout = {.tensor = o.tp, .pipeline = o.pp, .context = o.cp, .data = o.dp};
  s.layout.expert = o.ep;
  s.layout.expert_tensor = o.etp;
  s.layout.data_parallel_attention = o.dp_attention;
  s.kv_format = o.kv;
  s.max_batched_tokens = o.max_batched_tokens;
  s.max_sequences = o.max_sequences;
  s.block_tokens = o.block_size;
  s.engine = *engine;
  s.utilization = o.utilization.value_or(0);
  s.cuda_graphs = !o.no_graphs;
  return s;
}

result<plan_report::inference_memory_answer> answer_of(const options& o) {
  const auto setup = setup_of(o);
  if (!setup) return setup.why();
  const auto gpu = memory_of_gpu_of(o.gpu, o.memory);
  if (!gpu) return gpu.why();
  if (const auto fine = check_gpus(setup->layout); !fine) return fine.why();
  auto ranks = inference_memory(*setup);
  if (!ranks) return ranks.why();
  plan_report::inference_memory_answer a{.setup = *setup,
                                         .load = {.sequences = o.batch, .sequence_tokens = o.tokens},
                                         .gpu = gpu->gpu.name,
                                         .capacity_bytes = gpu->bytes,
                                         .ranks = std::move(*ranks)};
  const auto capacity = capacity_of(a.setup, a.ranks, a.capacity_bytes, a.load);
  if (!capacity) return capacity.why();
  a.capacity = *capacity;
  if (!a.capacity.fits || a.capacity.needed_bytes > plan_report::barely * a.capacity.budget_bytes)
    a.advice = advise(a.setup, a.capacity_bytes, a.load);
  return a;
}

int infer(const app::context& in, const options& o) {
  const auto a = answer_of(o);
  if (!a) return in.refuse(a.why(), app::exit_code::usage);
  const auto how = explain_inference_memory(a->setup, a->capacity_bytes, a->load);
  if (!how) return in.refuse(how.why(), app::exit_code::usage);
  return print_plan(in, o.as, plan_report::inference_memory_page(*a), *how);
}

}  // namespace

void add_plan_memory_infer(app::command& of, app::context& in) {
  auto o = std::make_shared<options>();
  auto& to = of.add("infer", "Memory of serving: weights, step, graphs, and what is left for the KV cache");
  add_model_choice(to, o->model);
  add_gpu_choice(to, o->gpu);
  to.option("--memory", o->memory, "GIB", "Memory of a GPU, in place of the catalogue's")
      .option("--tp", o->tp, "N", "Tensor-parallel ranks")
      .option("--pp", o->pp, "N", "Pipeline stages")
      .option("--cp", o->cp, "N", "Context-parallel ranks")
      .option("--dp", o->dp, "N", "Replicas; with --ep they share experts")
      .option("--ep", o->ep, "N", "Expert-parallel ranks, of TP · DP (1: tensor ranks divide experts)")
      .option("--etp", o->etp, "N", "Tensor-parallel ranks of an expert")
      .flag("--dp-attention", o->dp_attention, "Each tensor rank has its own sequences (MLA)")
      .option("--batch", o->batch, "N", "Sequences at once, over all replicas (1)")
      .option("--tokens", o->tokens, "N", "Tokens of a sequence: prompt and answer (4096)")
      .option("--weights-dtype", o->weights, "FORMAT",
              "Number format of the weights: bf16, fp8, int4_g128, ... (the checkpoint's)")
      .flag("--experts-only", o->experts_only, "--weights-dtype is of experts; the rest stays 16 bit")
      .option("--kv-dtype", o->kv, "FORMAT", "Number format of the KV cache: bf16, fp8, ... (bf16)")
      .option("--max-batched-tokens", o->max_batched_tokens, "N", "Tokens of a step (8192)")
      .option("--max-sequences", o->max_sequences, "N", "Sequences of a step (256)")
      .option("--block-size", o->block_size, "N", "Tokens of a block (16)")
      .option("--engine", o->engine, "NAME", "Engine whose memory rule is applied: vllm, sglang, trtllm")
      .option("--utilization", o->utilization, "SHARE", "Share of memory that the engine takes (its default)")
      .flag("--no-cuda-graphs", o->no_graphs, "None are captured");
  add_plan_output(to, o->as);
  to.notes(
        "Where the cache asked for does not fit, or barely, changes that would help are evaluated one by "
        "one. "
        "docs/design/plan/memory.md")
      .runs([&in, o] { return infer(in, *o); });
}

}  // namespace ridge::app_plan
