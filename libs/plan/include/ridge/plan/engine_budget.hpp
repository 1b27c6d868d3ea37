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

// A serving engine, as far as its rule for the size of the KV cache goes.
enum class cache_engine : std::uint8_t { vllm, sglang, trtllm };

// Its name as options and reports spell it, and the engine of a name; the error lists the names.
[[nodiscard]] std::string_view name_of(cache_engine e);
[[nodiscard]] result<cache_engine> cache_engine_named(std::string_view name);  // "vllm" "sglang" "trtllm"
// Share of memory that the engine takes by default: 0.92 of all memory (vLLM; 0.9 in versions before 2026),
// 0.88 (SGLang, of a GPU whose memory it does not know), 0.9 of the free memory (TensorRT-LLM).
// engine_steps_of() says it for a GPU.
[[nodiscard]] double default_share(cache_engine e);

// Memory of one GPU and what takes part of it. All bytes are per GPU.
struct engine_budget_question {
  cache_engine engine{cache_engine::vllm};
  double gpu_bytes = 0;         // total memory of the GPU
  double share = 0;             // --gpu-memory-utilization, --mem-fraction-static, free_gpu_memory_fraction
  double weight_bytes = 0;      // on this GPU
  double activation_bytes = 0;  // peak of the engine's profiling step
  double graph_bytes = 0;       // captured CUDA graphs
  double context_bytes = 0;     // CUDA context, NCCL buffers, other processes
};

// One step of the rule: "weights", -14.96 GiB, the reason, and the flag that changes it.
struct budget_step {
  std::string item{};
  double bytes = 0;  // positive: added (the share); negative: taken away
  std::string why{};
  std::string flag{};
};

struct engine_budget {
  double bytes = 0;          // left for the cache, at least 0
  double lacking_bytes = 0;  // above 0: missing before there is any cache
  std::vector<budget_step> steps{};
};

// Bytes that the engine leaves for the KV cache, with each step of the calculation. The error names the
// member that is out of range. vLLM: total x share - weights - activations - graphs - context (gpu_worker.py,
// determine_available_memory). SGLang: (total - context) x share - weights; the rest is for activations and
// graphs (model_runner_kv_cache_mixin.py, _profile_available_bytes). TensorRT-LLM: the free memory after all
// other allocations, times the share (KvCacheConfig.free_gpu_memory_fraction).
[[nodiscard]] result<engine_budget> engine_budget_of(const engine_budget_question& q);

// Blocks and tokens that a budget holds, counted as vLLM does: layers of one kind form groups of equal size
// that take blocks from one pool (kv_cache_utils.py, _get_kv_cache_groups_uniform_page_size).
struct cache_capacity {
  std::int64_t groups = 1;        // block tables per sequence
  std::int64_t group_layers = 0;  // layers per group, padding included
  double block_bytes = 0;         // bytes of one block over all layers of a group
  std::int64_t blocks = 0;
  std::int64_t tokens = 0;             // "GPU KV cache size" of vLLM's log: blocks / groups x block size
  std::int64_t blocks_a_sequence = 0;  // blocks for a sequence of `sequence_tokens`
  double concurrency = 0;              // blocks / blocks_a_sequence
};

// Tokens of a block where nothing else is asked (vLLM).
inline constexpr std::int64_t usual_block_tokens = 16;

struct capacity_question {
  double budget_bytes = 0;
  std::int64_t block_tokens = usual_block_tokens;
  std::int64_t sequence_tokens = 0;  // length of the sequences whose concurrency is computed
  std::int64_t step_tokens = 0;      // most tokens per scheduler step: windows hold them too while prefilling
};
// Capacity of a budget for these parts of a cache.
[[nodiscard]] cache_capacity capacity_of(const std::vector<kv_part>& parts, const capacity_question& q);

// Bytes of all weights. Quantized matrices are stored in the format (the checkpoint's where none is given);
// embeddings, head, norms and router in bf16 (the checkpoint's dtype). gpt-oss and others quantize the
// experts alone. The error lists the formats known.
[[nodiscard]] double weight_bytes(const model_shape& m);
[[nodiscard]] result<double> weight_bytes(const model_shape& m, std::string_view format);

// Share of memory that the engine must take to leave `cache_bytes` for the cache; above 1: no share suffices.
[[nodiscard]] double share_needed(const engine_budget_question& q, double cache_bytes);
// Fewest tensor ranks (1, 2, 4, ... 64) on which `k` fits; 0: none. `q.weight_bytes` counts the weights of
// the whole model.
[[nodiscard]] int tensor_ranks_needed(const model_shape& m, kv_question k, engine_budget_question q);

}  // namespace ridge::plan
