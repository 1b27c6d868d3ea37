// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <ridge/base/result.hpp>
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

// The order in which the stages of a pipeline take micro-batches.
enum class pipeline_schedule : std::uint8_t {
  one_forward_one_backward,  // 1F1B; interleaved with virtual stages (Narayanan et al., 2021)
  // Micro-batches enter at both ends; a rank holds the stage of its place and the one opposite, and computes
  // beside the exchange of tokens with experts (DeepSeek-V3 technical report, section 3.2.1;
  // deepseek-ai/DualPipe).
  dual_pipe,
};

// Their names as options, reports and JSON files spell them.
[[nodiscard]] std::string_view name_of(recomputation r);
[[nodiscard]] std::string_view name_of(sharding s);
[[nodiscard]] std::string_view name_of(pipeline_schedule s);  // "1f1b", "dualpipe"

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
  pipeline_schedule schedule{pipeline_schedule::one_forward_one_backward};

  // Stages whose weights a rank holds: 2 with DualPipe.
  [[nodiscard]] int copies() const { return schedule == pipeline_schedule::dual_pipe ? 2 : 1; }

  // One line for reports: "TP 8, PP 4, DP 16, micro-batch 1, ZeRO 1".
  [[nodiscard]] std::string text() const;
  bool operator==(const training_plan&) const = default;
};

// Whether the schedule can run so many micro-batches of a pipeline: a multiple of the stages when
// interleaved; with DualPipe, which has no virtual stages, an even number, twice the stages or more, of an
// even number of stages. The error names what does not hold.
[[nodiscard]] result<void> check_schedule(const training_plan& plan, std::int64_t micro_batches);
[[nodiscard]] bool schedule_holds(const training_plan& plan, std::int64_t micro_batches);

}  // namespace ridge::plan::train
