// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/accelerator.hpp>
#include <ridge/plan/adapters.hpp>
#include <ridge/plan/engine_budget.hpp>
#include <ridge/plan/figure.hpp>
#include <ridge/plan/kv_cache.hpp>
#include <ridge/plan/model_shape.hpp>
#include <ridge/plan/parallel_layout.hpp>

namespace ridge::plan {

// Settings of a served model that determine its memory. Layers are assigned to pipeline stages as vLLM does;
// without expert ranks, tensor ranks divide the experts.
struct inference_setup {
  model_shape model{};
  parallel_layout layout{};
  std::string weight_format{};          // a name of number_formats(); empty: that of the checkpoint
  bool quantize_experts_only = false;   // applies to weight_format; a model's own rule has precedence
  std::string kv_format{"bf16"};        // a name of number_formats()
  std::int64_t max_batched_tokens = 0;  // tokens per step; 0: with_engine_steps() puts the engine's
  std::int64_t max_sequences = 0;       // also the rows of logits; 0: likewise
  std::int64_t block_tokens = 16;
  cache_engine engine{cache_engine::vllm};
  double utilization = 0;  // share of memory that the engine takes; 0: the default of the engine
  bool cuda_graphs = true;
  adapter_choice adapters{};
  // Bytes per logit of a sampler that sorts: bf16 and fp32 copies 6, values and indices of torch.sort 12 and
  // as much scratch space (vllm/v1/sample/ops/topk_topp_sampler.py).
  double sampler_bytes_per_logit = 30;
  double graph_bytes_per_layer = 16.0 * 1024 * 1024;  // all captured sizes together; assumed
  double runtime_bytes = 164e6;  // allocated by libraries while the engine profiles itself: 0.14 to
                                 // 0.20 GiB of non-torch memory in vLLM's logs (pull request 12126)
  double context_bytes = 512.0 * 1024 * 1024;       // CUDA; assumed
  double communicator_bytes = 192.0 * 1024 * 1024;  // NCCL, one group of ranks; assumed
};

// The setup with what it leaves to its engine on GPUs of this kind: tokens and sequences of a step and the
// share of memory, as engine_steps_of() says. Every verb asks through it, so that all find the same room for
// the KV cache.
[[nodiscard]] inference_setup with_engine_steps(inference_setup s, const accelerator& gpu);

// Memory that one rank of a pipeline stage holds, in bytes.
struct inference_rank {
  double embedding_bytes = 0, head_bytes = 0;
  double attention_bytes = 0;
  double feed_forward_bytes = 0;  // dense blocks and shared experts
  double experts_bytes = 0;       // routed experts
  double encoder_bytes = 0;       // of an encoder-decoder, or of images; on the first stage
  double adapters_bytes = 0;      // LoRA, of the adapters in the GPU's memory
  double other_bytes = 0;         // norms, routers, parameters outside the layers
  double forward_bytes = 0;       // widest layer in a full step
  double sampler_bytes = 0;       // last stage only
  double cuda_graph_bytes = 0;
  double runtime_bytes = 0;
  double context_bytes = 0;  // CUDA and NCCL
  std::vector<kv_part> cache{};

  // All weights of the rank.
  [[nodiscard]] double weights_bytes() const {
    return embedding_bytes + head_bytes + attention_bytes + feed_forward_bytes + experts_bytes +
           encoder_bytes + adapters_bytes + other_bytes;
  }
  // Peak of activations: the sampler runs after the layers and reuses their memory.
  [[nodiscard]] double activations_bytes() const {
    return forward_bytes > sampler_bytes ? forward_bytes : sampler_bytes;
  }
  // Everything but the KV cache.
  [[nodiscard]] double fixed_bytes() const {
    return weights_bytes() + activations_bytes() + cuda_graph_bytes + runtime_bytes + context_bytes;
  }
};

// Memory of one rank for each pipeline stage. The error names the setting that is out of range.
[[nodiscard]] result<std::vector<inference_rank>> inference_memory(const inference_setup& s);

// Memory that is left for the KV cache, and the tokens and sequences that it holds.
struct inference_capacity {
  std::size_t stage = 0;       // the stage whose rank limits
  double budget_bytes = 0;     // memory of that rank for the cache
  double lacking_bytes = 0;    // above 0: missing before there is any cache
  std::int64_t tokens = 0;     // tokens in whole blocks, as vLLM logs them
  std::int64_t sequences = 0;  // sequences of `sequence_tokens` per replica
  double needed_bytes = 0;     // cache of the sequences asked for, in whole blocks
  bool fits = false;
  // Bytes left when the sequences asked for are in the cache; negative: bytes that are missing.
  [[nodiscard]] double spare_bytes() const { return budget_bytes - lacking_bytes - needed_bytes; }
};

// Sequences to be held at the same time by all data-parallel replicas together, and their length.
struct inference_load {
  std::int64_t sequences = 1, sequence_tokens = 4096;
};

// What the engine's rule subtracts and keeps of the memory of such a rank's GPU.
[[nodiscard]] engine_budget_question budget_question_of(const inference_setup& s, const inference_rank& r,
                                                        double gpu_bytes);

// Capacity of the rank that limits, of GPUs with `gpu_bytes` of memory. The error names the setting that is
// out of range.
[[nodiscard]] result<inference_capacity> capacity_of(const inference_setup& s,
                                                     const std::vector<inference_rank>& ranks,
                                                     double gpu_bytes, const inference_load& load);

// The memory rule of the engine for one rank, step by step.
[[nodiscard]] std::vector<budget_step> budget_steps(const inference_setup& s, const inference_rank& rank,
                                                    double gpu_bytes);

// The derivation of inference_memory() and capacity_of() on the rank that limits, in bytes; their errors.
[[nodiscard]] result<derivation> explain_inference_memory(const inference_setup& s, double gpu_bytes,
                                                          const inference_load& load);

// One change of the setup and its effect.
struct inference_advice {
  std::string change{};  // "fp8 KV cache"
  inference_setup setup{};
  double saved_bytes = 0;   // on the fullest rank: lower need or larger budget
  double spare_bytes = 0;   // left beside the cache asked for after the change; negative: still missing
  double more_reading = 0;  // relative increase of the bytes that a full decode step reads per GPU
  std::string caution{};    // property to check before use: "quality"
  bool fits = false;
};

// Single changes that save memory and, where none suffices on the same GPUs, several together. Ordered by:
// fits, same number of GPUs, fewest bytes read by decoding, largest saving. Changes that save less than a
// hundredth of the GPU's memory are left out.
[[nodiscard]] std::vector<inference_advice> advise(const inference_setup& s, double gpu_bytes,
                                                   const inference_load& load);

}  // namespace ridge::plan
