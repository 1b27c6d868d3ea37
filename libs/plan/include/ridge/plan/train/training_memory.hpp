// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/figure.hpp>
#include <ridge/plan/train/memory_settings.hpp>
#include <ridge/plan/train/rank_memory.hpp>
#include <ridge/plan/train/stage_layers.hpp>
#include <ridge/plan/train/training_plan.hpp>

namespace ridge::plan::train {

// Memory of the ranks of a training job, tabulated so that a search can evaluate millions of plans. Plans
// must be possible: pipeline · virtual pipeline is at most the number of layers, and every number is at
// least 1. Thread-safe.
class memory_model {
 public:
  // The settings must pass check_settings().
  explicit memory_model(const training_job& job, const memory_settings& settings = {});
  ~memory_model();
  memory_model(memory_model&&) noexcept;
  memory_model& operator=(memory_model&&) noexcept;

  // Memory of the stage that needs most. Allocates nothing; takes about 100 ns.
  [[nodiscard]] rank_memory worst(const training_plan& plan) const;
  // Memory of every stage, first to last.
  [[nodiscard]] std::vector<rank_memory> by_stage(const training_plan& plan) const;
  // The derivation of worst().
  [[nodiscard]] derivation explain(const training_plan& plan) const;

  // Temporary bytes of the optimizer's matrix products (Muon), at a time without activations.
  [[nodiscard]] double optimizer_scratch_bytes(const training_plan& plan) const;

  // The arguments of the constructor.
  [[nodiscard]] const training_job& job() const;
  [[nodiscard]] const memory_settings& settings() const;

  struct tables;  // defined by the implementation

 private:
  std::unique_ptr<const tables> tables_;
  // worst() of a DualPipe, whose ranks hold pairs of stages.
  [[nodiscard]] rank_memory worst_of_pairs(const training_plan& plan) const;
};

// Micro-batches per step and pipeline: global batch / (data · micro-batch), at least 1.
[[nodiscard]] std::int64_t micro_batches_of(const training_job& job, const training_plan& plan);

// A tensor of a layer that is kept for the backward pass: bytes per token on one rank.
struct kept_tensor {
  std::string name{};     // "input of QKV"
  std::string formula{};  // "2 h / t"
  double bytes_per_token = 0;
};

// The tensors that the backward pass of one such layer needs (Korthikanti et al., 2022,
// section 4, for layers with dropout, GELU and unfused attention; later layers are counted in
// the same way).
[[nodiscard]] std::vector<kept_tensor> kept_by_layer(const training_job& job, const memory_settings& settings,
                                                     const layer_shape& layer, const training_plan& plan);

// Memory of the stage that needs most during one phase of a step, in bytes.
struct step_phase {
  std::string name{};  // "warm-up", "loss", "backward", "optimizer"
  double states_bytes = 0, activations_bytes = 0, temporary_bytes = 0, fixed_bytes = 0;
  // All memory in this phase.
  [[nodiscard]] double total_bytes() const {
    return states_bytes + activations_bytes + temporary_bytes + fixed_bytes;
  }
};
// The phases of a step in order of time.
[[nodiscard]] std::vector<step_phase> step_timeline(const memory_model& model, const training_plan& plan);

}  // namespace ridge::plan::train
