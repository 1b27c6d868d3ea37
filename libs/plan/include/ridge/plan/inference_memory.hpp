// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/engine_budget.hpp>
#include <ridge/plan/figure.hpp>
#include <ridge/plan/kv_cache.hpp>
#include <ridge/plan/model_shape.hpp>
#include <ridge/plan/parallel_layout.hpp>

namespace ridge::plan {

// How a model is served, as far as memory asks. Pipeline stages are vLLM's; experts without expert ranks are
// divided by tensor ranks.
struct inference_setup {
  model_shape model{};
  parallel_layout layout{};
  std::string weight_format{};             // of number_formats(); empty: as the checkpoint has it
  bool quantize_experts_only = false;      // with weight_format; a model's own rule stays
  std::string kv_format{"bf16"};           // of number_formats()
  std::int64_t max_batched_tokens = 8192;  // of one step
  std::int64_t max_sequences = 256;        // rows of logits
  std::int64_t block_tokens = 16;
  cache_engine engine{cache_engine::vllm};
  double utilization = 0;  // share of memory that the engine takes; 0: its own default
  bool cuda_graphs = true;
  // What a sampler that sorts needs of a logit: bf16 and fp32 copies 6, torch.sort's values and indices 12
  // and as much scratch (vllm/v1/sample/ops/topk_topp_sampler.py).
  double sampler_bytes_per_logit = 30;
  double graph_bytes_per_layer = 16.0 * 1024 * 1024;  // of all captured sizes; assumed
  double runtime_bytes = 164e6;  // libraries allocate it while the engine profiles itself: vLLM's logs say
                                 // 0.14 to 0.20 GiB of non-torch memory (pull request 12126)
  double context_bytes = 512.0 * 1024 * 1024;       // CUDA; assumed
  double communicator_bytes = 192.0 * 1024 * 1024;  // NCCL, one group of ranks; assumed
};

// What one rank of a stage holds.
struct inference_rank {
  double embedding_bytes = 0, head_bytes = 0;
  double attention_bytes = 0;
  double feed_forward_bytes = 0;  // dense blocks and shared experts
  double experts_bytes = 0;       // routed
  double other_bytes = 0;         // norms, routers
  double forward_bytes = 0;       // the widest layer of a full step
  double sampler_bytes = 0;       // of the last stage
  double cuda_graph_bytes = 0;
  double runtime_bytes = 0;
  double context_bytes = 0;  // CUDA and NCCL
  std::vector<kv_part> cache{};

  [[nodiscard]] double weights_bytes() const {
    return embedding_bytes + head_bytes + attention_bytes + feed_forward_bytes + experts_bytes + other_bytes;
  }
  // The sampler runs when layers are done.
  [[nodiscard]] double activations_bytes() const {
    return forward_bytes > sampler_bytes ? forward_bytes : sampler_bytes;
  }
  // All but the cache.
  [[nodiscard]] double fixed_bytes() const {
    return weights_bytes() + activations_bytes() + cuda_graph_bytes + runtime_bytes + context_bytes;
  }
};

// One rank a pipeline stage. The error names the setting that cannot be.
[[nodiscard]] result<std::vector<inference_rank>> inference_memory(const inference_setup& s);

// What of a GPU is left for the cache, and what that holds.
struct inference_capacity {
  std::size_t stage = 0;       // whose rank limits
  double budget_bytes = 0;     // of that rank
  double lacking_bytes = 0;    // above 0: before there is any cache
  std::int64_t tokens = 0;     // whole blocks, as vLLM logs them
  std::int64_t sequences = 0;  // of `sequence_tokens`, on a rank's replica
  double needed_bytes = 0;     // of the cache of the sequences asked for, whole blocks
  bool fits = false;
  // Left when all that is asked for is there; below 0: what lacks.
  [[nodiscard]] double spare_bytes() const { return budget_bytes - lacking_bytes - needed_bytes; }
};

// Sequences are of all replicas: data-parallel ranks share them out.
struct inference_load {
  std::int64_t sequences = 1, sequence_tokens = 4096;
};

[[nodiscard]] result<inference_capacity> capacity_of(const inference_setup& s,
                                                     const std::vector<inference_rank>& ranks,
                                                     double gpu_bytes, const inference_load& load);

// The engine's rule step by step, for one rank.
[[nodiscard]] std::vector<budget_step> budget_steps(const inference_setup& s, const inference_rank& rank,
                                                    double gpu_bytes);

[[nodiscard]] result<derivation> explain_inference_memory(const inference_setup& s, double gpu_bytes,
                                                          const inference_load& load);

// One change, evaluated.
struct inference_advice {
  std::string change{};  // "fp8 KV cache"
  inference_setup setup{};
  double saved_bytes = 0;   // of the fullest rank: less need, or more budget
  double spare_bytes = 0;   // beside the cache asked for, then; below 0: still lacking
  double more_reading = 0;  // bytes that a decoding step of the full batch reads on a GPU, over now, less 1
  std::string caution{};    // what to check: "quality"
  bool fits = false;
};

// Changes, and where none is enough on the same GPUs several together. Those that fit first; among them those
// on as many GPUs, then by what decoding reads, then by saving. Never one that saves less than a hundredth of
// the GPU's memory.
[[nodiscard]] std::vector<inference_advice> advise(const inference_setup& s, double gpu_bytes,
                                                   const inference_load& load);

}  // namespace ridge::plan
