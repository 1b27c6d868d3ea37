// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <ridge/base/result.hpp>

namespace ridge::plan::train {

enum class optimizer_kind : std::uint8_t {
  adam,       // two moments
  adam_8bit,  // two moments of one byte, an fp32 scale a block of 256 (Dettmers et al., 2021)
  sgd,        // momentum
  muon,       // momentum for matrices of layers; Adam for embeddings, head and vectors
};

[[nodiscard]] std::string_view name_of(optimizer_kind o);

// What a training framework decides about memory beside the plan. Bytes are of one parameter.
struct memory_settings {
  optimizer_kind optimizer{optimizer_kind::adam};
  double weight_bytes = 2;        // what products read: 2 bf16, 1 fp8, 4 fp32
  double gradient_bytes = 4;      // 4: accumulated in fp32 (Megatron with bf16); 2: in the weights' type
  double master_bytes = 4;        // the optimizer's own copy: 4 fp32, 2 bf16, 0 none
  double moment_bytes = 4;        // of one moment: 4 fp32, 2 bf16; adam_8bit has its own
  bool moving_average = false;    // an fp32 copy of weights, kept with the optimizer's state
  std::int64_t shard_group = 0;   // HSDP: ranks that share one copy; 0: all data-parallel ranks
  std::int64_t adapter_rank = 0;  // LoRA: only adapters are trained; 0: everything is
  bool fp8_activations = false;   // inputs of products are kept in fp8
  bool recompute_pointwise =
      false;  // selective recomputation spares outputs of norms and of activation functions too
  bool train_prediction_layers = true;         // multi-token prediction layers, where the model has them
  double logit_bytes = 6;                      // of a logit: bf16 of the product and fp32 of the loss
  std::int64_t loss_chunk_tokens = 0;          // logits of so many tokens at a time; 0: of all
  double expert_imbalance = 1;                 // tokens of the busiest expert rank over the mean
  double context_bytes = 768.0 * 1024 * 1024;  // CUDA, cuBLAS workspaces; assumed
  double communicator_bytes =
      192.0 * 1024 * 1024;      // NCCL, one group of ranks: 24 channels x 2 x 4 MiB; assumed
  double fragmentation = 0.02;  // share of what comes and goes (activations) that allocators lose; assumed
};

// The error names the first setting that cannot be, and what it may be.
[[nodiscard]] result<void> check_settings(const memory_settings& s);

}  // namespace ridge::plan::train
