// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
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
  double weight_bytes = 2;        // read by matrix products: 2 bf16, or fp8 and its transposed copy; 4 fp32
  double gradient_bytes = 4;      // 4: accumulated in fp32 (Megatron with bf16); 2: in the weights' type
  double master_bytes = 4;        // the optimizer's own copy: 4 fp32, 2 bf16, 0 none
  double moment_bytes = 4;        // per moment: 4 fp32, 2 bf16; not used by adam_8bit
  bool moving_average = false;    // an fp32 average of the weights, kept with the optimizer state
  std::int64_t shard_group = 0;   // HSDP: ranks that share one copy; 0: all data-parallel ranks
  std::int64_t adapter_rank = 0;  // LoRA: only adapters are trained; 0: all weights are trained
  bool fp8_activations = false;   // inputs of products are kept in fp8
  bool recompute_pointwise =
      false;  // selective recomputation also covers outputs of norms and activation functions
  // That, too, and latent attention's queries, keys and values; with fp8_activations, inputs of activation
  // functions are kept in fp8 (DeepSeek-V3 technical report, sections 3.2.3 and 3.3.3).
  bool recompute_up_projections = false;
  bool train_prediction_layers = true;         // train multi-token prediction layers when the model has them
  double logit_bytes = 6;                      // per logit: bf16 of the product and fp32 of the loss
  std::int64_t loss_chunk_tokens = 0;          // tokens whose logits are computed at a time; 0: all
  double expert_imbalance = 1;                 // tokens of the busiest expert rank over the mean
  double context_bytes = 768.0 * 1024 * 1024;  // CUDA, cuBLAS workspaces; assumed
  double communicator_bytes =
      192.0 * 1024 * 1024;      // NCCL, one group of ranks: 24 channels x 2 x 4 MiB; assumed
  double fragmentation = 0.02;  // share of the activations lost to fragmentation; assumed
};

// Formats in which a job keeps its numbers. What is absent follows the type of its matrix products.
struct state_formats {
  std::optional<double> weight_bytes{}, gradient_bytes{}, master_bytes{};  // per parameter
  std::optional<double> moment_bytes{};                                    // per parameter and moment
  bool fp8_activations = false;  // inputs of products are kept in fp8 even where products are not in fp8
};

// The settings of a job whose matrix products have this type ("bf16", "fp16", "fp8", "fp32"), with formats of
// `formats`, then of the type, and all else of `other`, whose formats do not count. Every answer about the
// memory of training takes its settings from here. By type:
// - bf16, fp16: weights 2, gradients 4, master copy 4, moments 4 each (Megatron-LM);
// - fp8: the same with gradients of 2, and inputs of products kept in fp8 (NeMo's recipes and its submissions
//   to MLPerf Training 5.0: fp8_params, grad_reduce_in_fp32 off); fp8 weights and their transposed copy are
//   2;
// - fp32: weights and gradients 4, no second copy.
[[nodiscard]] memory_settings settings_for(std::string_view compute_type, const state_formats& formats = {},
                                           memory_settings other = {});

// Its formats in a line: "weights 2, gradients 4, adam 12 bytes a parameter; inputs of products kept in 16
// bits".
[[nodiscard]] std::string text_of(const memory_settings& s);

// The error names the first setting that is out of range, and its range.
[[nodiscard]] result<void> check_settings(const memory_settings& s);

}  // namespace ridge::plan::train
