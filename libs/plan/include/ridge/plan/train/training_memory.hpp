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

// What ranks hold while a job is trained, compiled so that a search can ask it for millions of plans. Plans
// must be possible: pipeline · virtual pipeline of them at most the model's layers, every part at least 1.
// Thread-safe once made.
class memory_model {
 public:
  explicit memory_model(const training_job& job, const memory_settings& settings = {});
  ~memory_model();
  memory_model(memory_model&&) noexcept;
  memory_model& operator=(memory_model&&) noexcept;

  // The stage that needs most. Allocates nothing; about 100 ns.
  [[nodiscard]] rank_memory worst(const training_plan& plan) const;
  [[nodiscard]] std::vector<rank_memory> by_stage(const training_plan& plan) const;
  // How the figures of the stage that needs most come about.
  [[nodiscard]] derivation explain(const training_plan& plan) const;

  // What the optimizer's own products need for a moment, beside no activations (Muon).
  [[nodiscard]] double optimizer_scratch_bytes(const training_plan& plan) const;

  [[nodiscard]] const training_job& job() const;
  [[nodiscard]] const memory_settings& settings() const;

  struct tables;  // of the implementation

 private:
  std::unique_ptr<const tables> of_;
};

// Micro-batches that one pipeline runs a step: global batch / (data · micro-batch), at least 1.
[[nodiscard]] std::int64_t micro_batches_of(const training_job& job, const training_plan& plan);

// One kept tensor of a layer: bytes of one token on one rank, all divisions made.
struct kept_tensor {
  std::string what{};     // "input of QKV"
  std::string formula{};  // "2 h / t"
  double bytes_per_token = 0;
};

// What the backward pass of one layer of this kind needs, tensor by tensor (Korthikanti et al., 2022,
// section 4, for layers with dropout, GELU and unfused attention; the same bookkeeping for later ones).
[[nodiscard]] std::vector<kept_tensor> kept_by_layer(const training_job& job, const memory_settings& settings,
                                                     const layer_shape& layer, const training_plan& plan);

// Memory in the course of a step of the stage that needs most.
struct step_phase {
  std::string name{};  // "warm-up", "loss", "backward", "optimizer"
  double states_bytes = 0, activations_bytes = 0, temporary_bytes = 0, fixed_bytes = 0;
  [[nodiscard]] double total_bytes() const {
    return states_bytes + activations_bytes + temporary_bytes + fixed_bytes;
  }
};
[[nodiscard]] std::vector<step_phase> step_timeline(const memory_model& model, const training_plan& plan);

}  // namespace ridge::plan::train
