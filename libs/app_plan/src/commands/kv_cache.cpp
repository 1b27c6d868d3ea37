// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <optional>

#include <ridge/app/exit_code.hpp>
#include <ridge/plan/cache_fit.hpp>
#include <ridge/plan/inference_memory.hpp>
#include <ridge/plan/kv_cache.hpp>
#include <ridge/plan_report/kv_cache_page.hpp>

#include "commands/plan_commands.hpp"
#include "input/plan_input.hpp"

namespace ridge::app_plan {
namespace {

using whole_number = std::optional<std::int64_t>;
using real_number = std::optional<double>;

struct kv_cache_options {
  model_choice model{};
  whole_number layers{}, hidden{}, heads{}, kv_heads{}, head_dim{};
  plan::kv_question question{};  // all but its format, which --dtype names
  std::string dtype{"bf16"};
  real_number bytes_per_element{};
  gpu_choice gpu{};
  std::string engine{"vllm"}, weights_dtype{};
  std::int64_t max_batched_tokens = 0, max_sequences = 0;  // 0: the engine's
  real_number utilization{}, weights_gib{}, activations_gib{}, graphs_gib{}, context_gib{};
  plan_output output{};
};

bool sizes_given(const kv_cache_options& o) {
  return o.layers || o.hidden || o.heads || o.kv_heads || o.head_dim;
}

// 0 means "not given" to the library, so a size of 0 becomes one that it refuses.
std::int64_t size_of(const whole_number& given) { return given ? (*given == 0 ? -1 : *given) : 0; }

result<plan::model_shape> shape_of(const kv_cache_options& o) {
  if (!sizes_given(o)) return model_of(o.model);
  if (o.model.given())
    return error{"a model and its sizes are both given", "give --model, --config, or --layers and --hidden"};
  for (const auto* size : {&o.layers, &o.hidden, &o.heads, &o.kv_heads, &o.head_dim})
    if (*size && **size < 1)
      return error{"a size of " + std::to_string(**size),
                   "--layers, --hidden, --heads, --kv-heads and --head-dim "
                   "are at least 1"};
  if (!o.layers || !(o.hidden || (o.kv_heads && o.head_dim)))
    return error{o.layers ? "--hidden is not given" : "--layers is not given",
                 "give --layers and --hidden, and --kv-heads and --head-dim where heads share keys"};
  const auto hidden = o.hidden.value_or(size_of(o.kv_heads) * size_of(o.head_dim));
  return plan::model_of_sizes(
      {size_of(o.layers), hidden, size_of(o.heads), size_of(o.kv_heads), size_of(o.head_dim)});
}

result<plan::number_format> format_of(const kv_cache_options& o) {
  if (o.dtype != "custom") {
    if (o.bytes_per_element)
      return error{"--bytes-per-element belongs to --dtype custom", "give --dtype custom, or leave it out"};
    return plan::number_format_named(o.dtype);
  }
  if (!o.bytes_per_element || !(*o.bytes_per_element > 0 && *o.bytes_per_element <= 16))
    return error{"--dtype custom needs --bytes-per-element above 0, at most 16", "fp8 is 1, 4 bits are 0.5"};
  return plan::number_format{"custom", *o.bytes_per_element, *o.bytes_per_element, "bf16", "as given"};
}

result<plan::kv_question> cache_question_of(const kv_cache_options& o) {
  const auto format = format_of(o);
  if (!format) return format.why();
  auto question = o.question;
  question.format = *format;
  return question;
}

constexpr double gib = 1024.0 * 1024 * 1024;
double in_bytes(const real_number& given_gib, double otherwise) {
  return given_gib ? *given_gib * gib : otherwise;
}

result<double> all_weights(const kv_cache_options& o, const plan::model_shape& m) {
  if (o.weights_dtype.empty()) return plan::weight_bytes(m);
  return plan::weight_bytes(m, o.weights_dtype);
}

// A deployment of the same layout, formats and engine, whose rank with the least room is asked for.
result<plan::inference_setup> setup_of(const kv_cache_options& o, const plan_report::kv_cache_answer& a,
                                       const plan::accelerator& gpu) {
  const auto engine = plan::cache_engine_named(o.engine);
  if (!engine) return engine.why();
  plan::inference_setup s{
      .model = a.model, .layout = a.question.layout, .weight_format = o.weights_dtype, .engine = *engine};
  if (o.dtype != "custom") s.kv_format = o.dtype;
  s.max_batched_tokens = o.max_batched_tokens, s.max_sequences = o.max_sequences;
  if (a.question.block_tokens > 0) s.block_tokens = a.question.block_tokens;
  s.utilization = o.utilization.value_or(0);
  return with_engine_steps(std::move(s), gpu);
}

result<plan::cache_room> room_of(const kv_cache_options& o, const plan_report::kv_cache_answer& a,
                                 const plan::accelerator& gpu) {
  const auto setup = setup_of(o, a, gpu);
  if (!setup) return setup.why();
  const auto ranks = inference_memory(*setup);
  if (!ranks) return ranks.why();
  const auto capacity = capacity_of(*setup, *ranks, gpu.memory_bytes, {.sequence_tokens = a.question.tokens});
  if (!capacity) return capacity.why();
  const auto weights = all_weights(o, a.model);
  if (!weights) return weights.why();
  const auto& rank = (*ranks)[capacity->stage];
  plan::cache_room room{.memory = budget_question_of(*setup, rank, gpu.memory_bytes),
                        .all_weight_bytes = *weights,
                        .step_tokens = setup->max_batched_tokens};
  auto& q = room.memory;
  if (o.utilization) q.share = *o.utilization;
  q.weight_bytes = in_bytes(o.weights_gib, q.weight_bytes);
  q.activation_bytes = in_bytes(o.activations_gib, q.activation_bytes);
  q.graph_bytes = in_bytes(o.graphs_gib, q.graph_bytes);
  q.context_bytes = in_bytes(o.context_gib, q.context_bytes);
  if (o.dtype != "custom" && !a.question.cross_tokens) room.parts = rank.cache;
  return room;
}

result<void> add_fit(const kv_cache_options& o, plan_report::kv_cache_answer& a) {
  if (a.model.name.empty())
    return error{"--gpu needs a model's weights", "give --model or --config, or leave --gpu out"};
  if (a.model.stack == plan::model_stack::encoder)
    return error{a.model.name + " is an encoder, which keeps no KV cache that could fill a GPU",
                 "`ridge plan memory infer` says what it needs"};
  const auto gpu = gpu_of(o.gpu);
  if (!gpu) return gpu.why();
  const auto room = room_of(o, a, *gpu);
  if (!room) return room.why();
  const auto fit = fit_cache(a.model, a.question, *room);
  if (!fit) return fit.why();
  a.gpu = gpu->name;
  a.engine = room->memory;
  a.fit = *fit;
  return {};
}

// Adds the cache with the most common number of heads to an answer for unknown heads.
result<void> add_comparison(const kv_cache_options& o, plan_report::kv_cache_answer& a) {
  if (!sizes_given(o) || o.kv_heads) return {};
  const auto grouped = plan::model_of_sizes({a.model.layers(), a.model.hidden, 0, 8, 128});
  if (!grouped) return grouped.why();
  const auto cache = size_kv_cache(*grouped, a.question);
  if (!cache) return cache.why();
  a.grouped = *cache;
  return {};
}

int kv_cache(const app::context& context, const kv_cache_options& o) {
  const auto model = shape_of(o);
  if (!model) return context.refuse(model.why(), app::exit_code::usage);
  const auto question = cache_question_of(o);
  if (!question) return context.refuse(question.why(), app::exit_code::usage);
  const auto cache = size_kv_cache(*model, *question);
  if (!cache) return context.refuse(cache.why(), app::exit_code::usage);
  plan_report::kv_cache_answer a{.model = *model, .question = *question, .cache = *cache};
  if (const auto fine = add_comparison(o, a); !fine) return context.refuse(fine.why(), app::exit_code::usage);
  if (!o.gpu.name.empty())
    if (const auto fine = add_fit(o, a); !fine) return context.refuse(fine.why(), app::exit_code::usage);
  return print_plan(context, o.output, kv_cache_page(a), kv_cache_derivation(a));
}

void add_sizes(app::command& command, kv_cache_options& o) {
  command.option("--layers", o.layers, "N", "Number of layers, when no model is named")
      .option("--hidden", o.hidden, "N", "Hidden size")
      .option("--heads", o.heads, "N", "Number of attention heads")
      .option("--kv-heads", o.kv_heads, "N", "Number of key-value heads")
      .option("--head-dim", o.head_dim, "N", "Width of a head");
}

void add_question(app::command& command, kv_cache_options& o) {
  command.option("--tokens", o.question.tokens, "N", "Tokens per sequence, prompt and answer (4096)")
      .option("--batch", o.question.batch, "N", "Sequences at a time (1)")
      .option("--dtype", o.dtype, "FORMAT",
              "Number format of keys and values: fp16, bf16 (default), fp8, fp4, int8, nvfp4, ...; custom")
      .option("--bytes-per-element", o.bytes_per_element, "B", "Bytes per element of --dtype custom")
      .option("--block-size", o.question.block_tokens, "N", "Tokens per block; 0: no rounding to blocks (0)")
      .option("--prefix-tokens", o.question.prefix_tokens, "N",
              "First tokens that sequences share and that are kept once")
      .option("--prefix-share", o.question.prefix_sequences, "N",
              "Number of sequences that share them; 0: all")
      .option("--cross-tokens", o.question.cross_tokens, "N",
              "Tokens of images or of the encoder, for cross-attention")
      .option("--overhead", o.question.overhead, "SHARE", "Share added to the allocation: 0.1 is 10 % (0)");
}

void add_layout(app::command& command, kv_cache_options& o) {
  command.option("--tp", o.question.layout.tensor, "N", "Tensor ranks (1)")
      .option("--pp", o.question.layout.pipeline, "N", "Pipeline stages (1)")
      .option("--cp", o.question.layout.context, "N", "Context ranks (1)")
      .flag("--dp-attention", o.question.layout.data_parallel_attention,
            "Each tensor rank has its own sequences");
}

void add_engine(app::command& command, kv_cache_options& o) {
  add_gpu_choice(command, o.gpu);
  command
      .option("--engine", o.engine, "NAME",
              "Engine whose memory rule is applied: vllm (default), sglang, trtllm")
      .option("--utilization", o.utilization, "SHARE",
              "Share of the GPU's memory that the engine takes (the engine's default)")
      .option("--max-batched-tokens", o.max_batched_tokens, "N", "Tokens per step (the engine's default)")
      .option("--max-sequences", o.max_sequences, "N", "Sequences per step (the engine's default)")
      .option("--weights-dtype", o.weights_dtype, "FORMAT", "Number format of the weights (the checkpoint's)")
      .option("--weights-gib", o.weights_gib, "GIB", "Weights per GPU, when known")
      .option("--activations-gib", o.activations_gib, "GIB", "Activations per GPU, when known")
      .option("--graphs-gib", o.graphs_gib, "GIB", "CUDA graphs per GPU, when known")
      .option("--context-gib", o.context_gib, "GIB", "CUDA context, NCCL and other processes, when known");
}

}  // namespace

void add_plan_kv_cache(app::command& command, app::context& context) {
  auto o = std::make_shared<kv_cache_options>();
  auto& verb = command.add("kv-cache", "Size of the KV cache, what fits on a GPU, and which flag changes it");
  add_model_choice(verb, o->model);
  add_sizes(verb, *o);
  add_question(verb, *o);
  add_layout(verb, *o);
  add_engine(verb, *o);
  add_plan_output(verb, o->output);
  verb.notes(
          "With --gpu, shows what the engine leaves for the cache, each step of its rule, blocks, tokens, "
          "and the "
          "largest batch and length. docs/design/plan/models.md")
      .runs([&context, o] { return kv_cache(context, *o); });
}

}  // namespace ridge::app_plan
