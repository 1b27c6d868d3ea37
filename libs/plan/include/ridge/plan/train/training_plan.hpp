// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <ridge/plan/model_shape.hpp>
#include <ridge/plan/parallel_layout.hpp>

namespace ridge::plan::train {

// What of the forward pass the backward pass computes again.
enum class recomputation : std::uint8_t {
  none,
  selective,  // the core of attention (Korthikanti et al., 2022)
  full,       // whole layers: only their inputs are kept
};

// Who keeps what of weights, gradients and optimizer state among data-parallel ranks.
enum class sharding : std::uint8_t {
  none,
  optimizer,  // ZeRO-1, Megatron's distributed optimizer
  gradients,  // ZeRO-2
  weights,    // ZeRO-3, FSDP
};

[[nodiscard]] std::string_view name_of(recomputation r);
[[nodiscard]] std::string_view name_of(sharding s);

// What is to be trained.
struct training_job {
  model_shape model{};
  std::int64_t global_batch = 0;     // sequences a step
  std::int64_t sequence = 0;         // tokens of one
  std::string compute_type{"bf16"};  // of matrix products: "bf16", "fp8"
  bool dropout = false;              // masks are kept (the models of 2020 to 2022)
  bool fused_attention = true;       // FlashAttention: scores are never kept
};

// One way to do it.
struct training_plan {
  parallel_layout layout{};
  int micro_batch = 1;  // sequences
  recomputation recompute{recomputation::none};
  sharding shard{sharding::optimizer};
  bool sequence_parallel = true;  // norms and dropout split over tensor ranks
  bool overlap_data_parallel = true;

  [[nodiscard]] std::string text() const;
  bool operator==(const training_plan&) const = default;
};

}  // namespace ridge::plan::train
