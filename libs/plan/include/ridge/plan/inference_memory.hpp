// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/figure.hpp>
#include <ridge/plan/model_shape.hpp>
#include <ridge/plan/parallel_layout.hpp>

namespace ridge::plan {

// How a model is served, as far as memory asks.
struct inference_setup {
  model_shape model{};
  parallel_layout layout{};
  std::string weight_format{};             // of number_formats(); empty: as the checkpoint has it
  std::string kv_format{"bf16"};           // of number_formats()
  bool quantize_experts_only = false;      // beside what the model itself says
  std::int64_t max_batched_tokens = 8192;  // of one step
  std::int64_t max_sequences = 256;        // rows of logits
  std::int64_t block_tokens = 16;
  bool cuda_graphs = true;
  double utilization = 0.92;  // share of the GPU's memory that the engine may take (vLLM 0.11: 0.9)
  double context_bytes = 768.0 * 1024 * 1024;       // CUDA, cuBLAS; assumed
  double communicator_bytes = 192.0 * 1024 * 1024;  // NCCL, one group of ranks; assumed
};

// What one rank of a stage holds.
struct inference_rank {
  double embedding_bytes = 0, head_bytes = 0;
  double attention_bytes = 0, feed_forward_bytes = 0, experts_bytes = 0;  // shared experts: feed_forward
  double other_weights_bytes = 0;                                         // norms, routers
  double activations_bytes = 0;                                           // peak of one step
  double cuda_graph_bytes = 0;
  double context_bytes = 0;  // CUDA
  double communication_bytes = 0;
  double kv_bytes_per_token = 0;     // that grow with a sequence
  double kv_bytes_per_sequence = 0;  // windows, states: at most, for one
  [[nodiscard]] double weights_bytes() const {
    return embedding_bytes + head_bytes + attention_bytes + feed_forward_bytes + experts_bytes +
           other_weights_bytes;
  }
  // All but the cache.
  [[nodiscard]] double fixed_bytes() const {
    return weights_bytes() + activations_bytes + cuda_graph_bytes + context_bytes + communication_bytes;
  }
};

// One rank a pipeline stage; stages have the split of stage_layers.hpp.
[[nodiscard]] result<std::vector<inference_rank>> inference_memory(const inference_setup& s);

// What of a GPU is left for the cache, and what that holds.
struct cache_budget {
  double bytes = 0;            // of the rank with the least; below 0: the weights alone do not fit
  std::int64_t tokens = 0;     // whole blocks, of sequences of one length
  std::int64_t sequences = 0;  // at `sequence_tokens` each
  std::size_t stage = 0;       // the rank that limits
};
[[nodiscard]] cache_budget budget_of(const inference_setup& s, const std::vector<inference_rank>& ranks,
                                     double capacity_bytes, std::int64_t sequence_tokens);

[[nodiscard]] result<derivation> explain_inference_memory(const inference_setup& s, double capacity_bytes,
                                                          std::int64_t sequence_tokens);

// One change, evaluated: how many bytes of the fullest rank it frees for the cache.
struct inference_advice {
  std::string change{};  // "fp8 KV cache"
  inference_setup setup{};
  double freed_bytes = 0;      // more room for the cache, or less of it needed
  double remaining_bytes = 0;  // what the fullest rank needs then
  std::string cost{};          // "none on this GPU", "GPUs: 8 instead of 4"
  bool fits = false;
};
[[nodiscard]] std::vector<inference_advice> advise(const inference_setup& s, double capacity_bytes,
                                                   std::int64_t sequences, std::int64_t sequence_tokens);

}  // namespace ridge::plan
