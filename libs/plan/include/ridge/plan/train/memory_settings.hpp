// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <ridge/base/result.hpp>

namespace ridge::plan::train {

// The optimizer and the state that it keeps.
enum class optimizer_kind : std::uint8_t {
  adam,       // two moments
  adam_8bit,  // two moments of one byte, an fp32 scale per block of 256 (Dettmers et al., 2021)
  sgd,        // momentum
  muon,       // momentum for matrices of layers, Adam for embeddings, head and vectors
};

// Its name in reports, options and JSON files.
[[nodiscard]] std::string_view name_of(optimizer_kind o);

// Decisions of a training framework about memory, apart from the plan. Bytes are per parameter unless said
// otherwise.
struct memory_settings {
  optimizer_kind optimizer{optimizer_kind::adam};
  double weight_bytes = 2;        // read by matrix products: 2 bf16, 1 fp8, 4 fp32
  double gradient_bytes = 4;      // 4: accumulated in fp32 (Megatron with bf16); 2: in the weights' type
  double master_bytes = 4;        // the optimizer's own copy: 4 fp32, 2 bf16, 0 none
  double moment_bytes = 4;        // per moment: 4 fp32, 2 bf16; not used by adam_8bit
  bool moving_average = false;    // an fp32 average of the weights, kept with the optimizer state
  std::int64_t shard_group = 0;   // HSDP: ranks that share one copy; 0: all data-parallel ranks
  std::int64_t adapter_rank = 0;  // LoRA: only adapters are trained; 0: all weights are trained
  bool fp8_activations = false;   // inputs of products are kept in fp8
  bool recompute_pointwise =
      false;  // selective recomputation also covers outputs of norms and activation functions
  bool train_prediction_layers = true;         // train multi-token prediction layers when the model has them
  double logit_bytes = 6;                      // per logit: bf16 of the product and fp32 of the loss
  std::int64_t loss_chunk_tokens = 0;          // tokens whose logits are computed at a time; 0: all
  double expert_imbalance = 1;                 // tokens of the busiest expert rank over the mean
  double context_bytes = 768.0 * 1024 * 1024;  // CUDA, cuBLAS workspaces; assumed
  double communicator_bytes =
      192.0 * 1024 * 1024;      // NCCL, one group of ranks: 24 channels x 2 x 4 MiB; assumed
  double fragmentation = 0.02;  // share of the activations lost to fragmentation; assumed
};

// The error names the first setting that is out of range, and its range.
[[nodiscard]] result<void> check_settings(const memory_settings& s);

}  // namespace ridge::plan::train
