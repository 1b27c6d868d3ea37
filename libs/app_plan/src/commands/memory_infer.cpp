// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include <ridge/app/exit_code.hpp>
#include <ridge/plan_report/memory_page.hpp>

#include "input/plan_adapters.hpp"
#include "input/plan_memory.hpp"

namespace ridge::app_plan {
namespace {

struct memory_infer_options {
  model_choice model{};
  gpu_choice gpu{};
  std::optional<double> memory{}, utilization{};
  plan::inference_setup setup{};  // all but the model, the engine, its share and its graphs
  plan::inference_load load{};
  adapter_options adapters{};
  bool no_graphs = false;
  std::string engine{"vllm"};
  plan_output output{};
};

result<plan::inference_setup> setup_of(const memory_infer_options& o) {
  const auto shape = model_of(o.model);
  if (!shape) return shape.why();
  const auto engine = plan::cache_engine_named(o.engine);
  if (!engine) return engine.why();
  if (o.utilization && !(*o.utilization > 0 && *o.utilization <= 1))
    return error{fmt::format("--utilization {}: no share", *o.utilization),
                 "give more than 0 and at most 1: 0.9"};
  auto s = o.setup;
  s.model = *shape;
  s.engine = *engine;
  s.utilization = o.utilization.value_or(0);
  s.cuda_graphs = !o.no_graphs;
  s.adapters = adapters_of(o.adapters);
  return s;
}

result<plan_report::inference_memory_answer> answer_of(const memory_infer_options& o) {
  auto gpu = memory_of_gpu_of(o.gpu, o.memory);
  if (!gpu) return gpu.why();
  gpu->gpu.memory_bytes = gpu->bytes;
  auto setup = setup_of(o);
  if (!setup) return setup.why();
  if (const auto fine = check_gpus(setup->layout); !fine) return fine.why();
  *setup = with_engine_steps(std::move(*setup), gpu->gpu);
  auto ranks = inference_memory(*setup);
  if (!ranks) return ranks.why();
  plan_report::inference_memory_answer a{.setup = *setup,
                                         .load = o.load,
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

int infer(const app::context& context, const memory_infer_options& o) {
  const auto a = answer_of(o);
  if (!a) return context.refuse(a.why(), app::exit_code::usage);
  const auto how = explain_inference_memory(a->setup, a->capacity_bytes, a->load);
  if (!how) return context.refuse(how.why(), app::exit_code::usage);
  return print_plan(context, o.output, plan_report::inference_memory_page(*a), *how, a->capacity.fits);
}

}  // namespace

void add_plan_memory_infer(app::command& command, app::context& context) {
  auto o = std::make_shared<memory_infer_options>();
  auto& verb =
      command.add("infer", "Memory of serving: weights, step, graphs, and what is left for the KV cache");
  add_model_choice(verb, o->model);
  add_gpu_choice(verb, o->gpu);
  verb.option("--memory", o->memory, "GIB", "Memory per GPU, instead of the catalogue's")
      .option("--tp", o->setup.layout.tensor, "N", "Tensor-parallel ranks")
      .option("--pp", o->setup.layout.pipeline, "N", "Pipeline stages")
      .option("--cp", o->setup.layout.context, "N", "Context-parallel ranks")
      .option("--dp", o->setup.layout.data, "N",
              "Data-parallel replicas; with --ep the experts are divided among them")
      .option("--ep", o->setup.layout.expert, "N",
              "Expert-parallel ranks, of TP · DP (1: tensor ranks divide experts)")
      .option("--etp", o->setup.layout.expert_tensor, "N", "Tensor-parallel ranks per expert")
      .flag("--dp-attention", o->setup.layout.data_parallel_attention,
            "Each tensor rank has its own sequences (MLA)")
      .option("--batch", o->load.sequences, "N", "Sequences at a time in all replicas (1)")
      .option("--tokens", o->load.sequence_tokens, "N", "Tokens per sequence: prompt and answer (4096)")
      .option("--weights-dtype", o->setup.weight_format, "FORMAT",
              "Number format of the weights: bf16, fp8, int4_g128, ... (the checkpoint's)")
      .flag("--experts-only", o->setup.quantize_experts_only,
            "Apply --weights-dtype to experts alone; the rest stays at 16 bits")
      .option("--kv-dtype", o->setup.kv_format, "FORMAT",
              "Number format of the KV cache: bf16, fp8, ... (bf16)")
      .option("--max-batched-tokens", o->setup.max_batched_tokens, "N",
              "Tokens per step (the engine's default)")
      .option("--max-sequences", o->setup.max_sequences, "N", "Sequences per step (the engine's default)")
      .option("--block-size", o->setup.block_tokens, "N", "Tokens per block (16)")
      .option("--engine", o->engine, "NAME", "Engine whose memory rule is applied: vllm, sglang, trtllm")
      .option("--utilization", o->utilization, "SHARE",
              "Share of memory that the engine takes (the engine's default)")
      .flag("--no-cuda-graphs", o->no_graphs, "The engine captures no CUDA graphs");
  add_adapter_options(verb, o->adapters);
  add_plan_output(verb, o->output);
  verb.notes(
          "When the cache asked for does not fit, or barely, changes that would help are evaluated one by "
          "one. "
          "docs/design/plan/memory.md")
      .runs([&context, o] { return infer(context, *o); });
}

}  // namespace ridge::app_plan
