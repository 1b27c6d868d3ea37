// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <ridge/plan/accelerator.hpp>
#include <ridge/plan/figure.hpp>
#include <ridge/plan/interconnect.hpp>
#include <ridge/plan/train/training_coefficients.hpp>
#include <ridge/plan/train/training_plan.hpp>

namespace ridge::plan::train {

// Seconds of a training step on the slowest pipeline stage, by cause; the parts add up to total_s.
// Communication counts only where computation does not overlap it.
struct step_time {
  double product_s = 0;       // matrix products, forward and backward, head included
  double attention_s = 0;     // the core of attention
  double memory_bound_s = 0;  // norms, activations, residuals, dropout, loss
  double recomputation_s = 0;
  double tensor_exposed_s = 0;
  double context_exposed_s = 0;
  double expert_exposed_s = 0;
  double pipeline_exposed_s = 0;
  double bubble_s = 0;  // idle time while the pipeline fills and drains
  double data_exposed_s = 0;
  double optimizer_s = 0;
  double fixed_s = 0;
  double straggler_s = 0;  // waiting for the slowest GPU

  double total_s = 0;
  double tokens_per_s = 0;
  double mfu = 0;  // model FLOP (three times forward) over step time and peak
  double hfu = 0;  // computed FLOP, with recomputation, over the same
};

// The time of a training step in closed form (docs/design/plan/training.md). The constructor tabulates the
// passes of a layer for the usual divisions; the schedule (1F1B, interleaved) needs no loop over
// micro-batches.
class step_model final {
 public:
  step_model(const training_job& job, const accelerator& gpu, const interconnect& links,
             const training_coefficients& by_measurement);
  step_model(step_model&&) noexcept;
  step_model& operator=(step_model&&) noexcept;
  ~step_model();

  // Time of one step. The plan must pass check_layout(); a global batch that data · micro_batch does not
  // divide is rounded up. Allocates nothing; thread-safe.
  [[nodiscard]] step_time time(const training_plan& plan) const;
  // The derivation of time().
  [[nodiscard]] derivation explain(const training_plan& plan) const;

 private:
  struct tables;
  std::unique_ptr<const tables> tables_;
};

}  // namespace ridge::plan::train
