// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <ridge/plan/model_shape.hpp>
#include <ridge/plan/parallel_layout.hpp>

namespace ridge::plan::train {

// Which part of the forward pass the backward pass recomputes.
enum class recomputation : std::uint8_t {
  none,
  selective,  // the core of attention (Korthikanti et al., 2022)
  full,       // whole layers: only their inputs are kept
};

// What data-parallel ranks divide among themselves instead of each keeping a copy.
enum class sharding : std::uint8_t {
  none,
  optimizer,  // ZeRO-1, Megatron's distributed optimizer
  gradients,  // ZeRO-2
  weights,    // ZeRO-3, FSDP
};

// Their names as options, reports and JSON files spell them.
[[nodiscard]] std::string_view name_of(recomputation r);
[[nodiscard]] std::string_view name_of(sharding s);

// A model and how it is trained, apart from the plan.
struct training_job {
  model_shape model{};
  std::int64_t global_batch = 0;     // sequences per step
  std::int64_t sequence = 0;         // tokens per sequence
  std::string compute_type{"bf16"};  // type of matrix products: "bf16", "fp8"
  bool dropout = false;              // masks are kept (usual for models of 2020 to 2022)
  bool fused_attention = true;       // FlashAttention: scores are not kept
};

// One way to divide the training among GPUs.
struct training_plan {
  parallel_layout layout{};
  int micro_batch = 1;  // sequences
  recomputation recompute{recomputation::none};
  sharding shard{sharding::optimizer};
  bool sequence_parallel = true;  // norms and dropout split over tensor ranks
  bool overlap_data_parallel = true;

  // One line for reports: "TP 8, PP 4, DP 16, micro-batch 1, ZeRO 1".
  [[nodiscard]] std::string text() const;
  bool operator==(const training_plan&) const = default;
};

}  // namespace ridge::plan::train
