// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/engine_steps.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <ridge/plan/inference_memory.hpp>

namespace ridge::plan {
namespace {

constexpr double bytes_a_mib = 1024.0 * 1024, bytes_a_gib = 1024 * bytes_a_mib;

engine_steps vllm_steps(const accelerator& gpu) {
  const bool large = gpu.memory_bytes >= 70 * bytes_a_gib && gpu.name.find("A100") == std::string::npos;
  engine_steps s{.memory_share = default_share(cache_engine::vllm)};
  s.max_batched_tokens = large ? 8192 : 2048;
  s.max_sequences = large ? 1024 : 256;
  s.source = large ? "vLLM 0.27, get_batch_defaults: GPUs from 70 GiB on, but A100"
                   : "vLLM 0.27, get_batch_defaults: GPUs below 70 GiB, and A100";
  return s;
}

// SGLang's classes of GPUs by memory, with the sequences of its largest CUDA graph below four tensor ranks
// and from there on.
struct sglang_class {
  double below_gib = 0;
  std::int64_t tokens = 0;
  double few_ranks = 0, many_ranks = 0;
};
constexpr std::array sglang_classes{sglang_class{20, 2048, 8, 8}, sglang_class{35, 2048, 24, 80},
                                    sglang_class{60, 4096, 32, 160}, sglang_class{160, 8192, 256, 512},
                                    sglang_class{1e9, 16384, 512, 512}};
constexpr std::int64_t least_running = 2048, most_running = 4096;

engine_steps sglang_steps(const accelerator& gpu, const parallel_layout& l) {
  const auto* c = std::ranges::find_if(sglang_classes, [&](const sglang_class& one) {
    return gpu.memory_bytes < one.below_gib * bytes_a_gib;
  });
  // Ranks of attention that share experts are tensor ranks to SGLang.
  const bool shared = l.data > 1 && l.expert > 1;
  const int tensor = shared ? l.tensor * l.data : l.tensor;
  const int attention_ranks = l.data_parallel_attention ? l.tensor : shared ? l.data : 0;
  const double graph = tensor < 4 ? c->few_ranks : c->many_ranks;
  const double ranks = static_cast<double>(tensor) * l.pipeline;
  double reserved_mib = 512 + 1.5 * static_cast<double>(c->tokens) + 2 * graph + ranks / 8 * 1024;
  reserved_mib += graph * attention_ranks * (graph > 300 ? 4.5 : 3.0);
  if (gpu.memory_bytes > 60 * bytes_a_gib) reserved_mib = std::max(reserved_mib, 10.0 * 1024);
  const double share = std::round(1000 * (1 - reserved_mib * bytes_a_mib / gpu.memory_bytes)) / 1000;
  return {.max_batched_tokens = std::max<std::int64_t>(c->tokens / std::max(attention_ranks, 1), 1),
          .max_sequences = least_running,
          .memory_share = std::max(share, 0.001),
          .source = "SGLang 0.5, _handle_gpu_memory_settings: by the GPU's memory"};
}

}  // namespace

engine_steps engine_steps_of(cache_engine e, const accelerator& gpu, const parallel_layout& layout) {
  if (e == cache_engine::vllm) return vllm_steps(gpu);
  if (e == cache_engine::sglang) return sglang_steps(gpu, layout);
  return {.max_batched_tokens = 8192,
          .max_sequences = 2048,
          .memory_share = default_share(e),
          .source = "TensorRT-LLM 1.3, LLM arguments: the same on every GPU"};
}

std::int64_t running_requests(std::int64_t cache_tokens, std::int64_t context_tokens) {
  if (context_tokens <= 0) return least_running;
  const double held = static_cast<double>(cache_tokens) / static_cast<double>(context_tokens);
  return std::clamp(static_cast<std::int64_t>(512 * held), least_running, most_running);
}

inference_setup with_engine_steps(inference_setup s, const accelerator& gpu) {
  const auto chosen = engine_steps_of(s.engine, gpu, s.layout);
  if (s.max_batched_tokens == 0) s.max_batched_tokens = chosen.max_batched_tokens;
  if (s.utilization == 0) s.utilization = chosen.memory_share;
  if (s.max_sequences != 0) return s;
  s.max_sequences = chosen.max_sequences;
  if (s.engine != cache_engine::sglang) return s;
  const auto ranks = inference_memory(s);
  if (!ranks) return s;  // whoever asks next is told
  const auto held = capacity_of(s, *ranks, gpu.memory_bytes, {});
  if (held) s.max_sequences = running_requests(held->tokens, s.model.max_positions);
  return s;
}

}  // namespace ridge::plan
