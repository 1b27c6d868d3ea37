// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/figure.hpp>
#include <ridge/plan/kv_cache.hpp>
#include <ridge/plan/model_shape.hpp>
#include <ridge/plan/parallel_layout.hpp>

namespace ridge::plan {

enum class cache_engine : std::uint8_t { vllm, sglang, trtllm };

[[nodiscard]] std::string_view name_of(cache_engine e);
[[nodiscard]] result<cache_engine> cache_engine_named(std::string_view name);  // "vllm" "sglang" "trtllm"
// The engine's own: 0.92 of all (vLLM; 0.9 in versions before 2026), 0.88 (SGLang, without its heuristics),
// 0.9 of what is free (TensorRT-LLM).
[[nodiscard]] double default_share(cache_engine e);

// Bytes of one GPU.
struct engine_budget_question {
  cache_engine engine{cache_engine::vllm};
  double gpu_bytes = 0;         // all of its memory
  double share = 0;             // --gpu-memory-utilization, --mem-fraction-static, free_gpu_memory_fraction
  double weight_bytes = 0;      // on this GPU
  double activation_bytes = 0;  // the peak of the engine's profiling step
  double graph_bytes = 0;       // captured CUDA graphs
  double context_bytes = 0;     // CUDA context, NCCL buffers, other processes
};

// One step of the rule: "weights", -14.96 GiB, why, and which flag changes it.
struct budget_step {
  std::string what{};
  double bytes = 0;  // added (the share) or taken away (negative)
  std::string why{};
  std::string flag{};
};

struct engine_budget {
  double bytes = 0;          // for the cache, at least 0
  double lacking_bytes = 0;  // above 0: what is missing before there is any cache
  std::vector<budget_step> steps{};
};

// vLLM: total x share - weights - activations - graphs - context (gpu_worker.py, determine_available_memory).
// SGLang: (total - context) x share - weights; the rest is for activations and graphs
// (model_runner_kv_cache_mixin.py, _profile_available_bytes). TensorRT-LLM: what is free once all else
// stands, times the share (KvCacheConfig.free_gpu_memory_fraction).
[[nodiscard]] result<engine_budget> engine_budget_of(const engine_budget_question& q);

// What the budget holds, as vLLM counts: layers of one kind form groups of equal size that take blocks from
// one pool (kv_cache_utils.py, _get_kv_cache_groups_uniform_page_size).
struct cache_capacity {
  std::int64_t groups = 1;        // block tables a sequence has
  std::int64_t group_layers = 0;  // layers of a group, padding included
  double block_bytes = 0;         // of one block in all layers of a group
  std::int64_t blocks = 0;
  std::int64_t tokens = 0;  // what the log's "GPU KV cache size" says: blocks over groups, times block size
  std::int64_t blocks_a_sequence = 0;  // of `sequence_tokens`
  double concurrency = 0;              // blocks over blocks a sequence
};

struct capacity_question {
  double budget_bytes = 0;
  std::int64_t block_tokens = 16;
  std::int64_t sequence_tokens = 0;  // of which the concurrency is asked
  std::int64_t step_tokens =
      8192;  // most tokens of a scheduler's step: windows hold them too while prefilling
};
[[nodiscard]] cache_capacity capacity_of(const std::vector<kv_part>& parts, const capacity_question& q);

// What the engine takes beside weights and cache, where nobody measured it: the widest layer of a step of
// `step_tokens` or the sampler's logits of `sequences`, 10 MiB of graphs a layer, 512 MiB of CUDA context
// (768 with NCCL). Assumed; expect to be off by half.
struct engine_estimate {
  double activation_bytes = 0, graph_bytes = 0, context_bytes = 0;
};
[[nodiscard]] engine_estimate estimate_engine(const model_shape& m, const parallel_layout& layout,
                                              std::int64_t step_tokens = 8192, std::int64_t sequences = 256);

// The even share of a GPU; with data-parallel attention, all of a stage's attention.
[[nodiscard]] double weight_bytes_per_gpu(const model_shape& m, double all_weight_bytes,
                                          const parallel_layout& layout);

// Weights and checkpoint: quantized classes in the checkpoint's format, embeddings, head, norms and router in
// bf16 (the checkpoint's dtype); gpt-oss and others quantize the experts alone.
[[nodiscard]] double weight_bytes(const model_shape& m);
[[nodiscard]] result<double> weight_bytes(const model_shape& m, std::string_view format);

// The share an engine needs so that the cache has so many bytes; above 1: there is not enough memory.
[[nodiscard]] double share_needed(const engine_budget_question& q, double cache_bytes);
// The fewest tensor ranks (1, 2, 4, ... 64) on which a question fits, of which `q` states the weights of all;
// 0: none.
[[nodiscard]] int tensor_ranks_needed(const model_shape& m, kv_question k, engine_budget_question q);

}  // namespace ridge::plan
