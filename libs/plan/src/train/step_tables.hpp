// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include <ridge/plan/train/step_time.hpp>

#include "data_exchange.hpp"
#include "layer_table.hpp"
#include "schedule.hpp"

namespace ridge::plan::train {

// A job and a machine, kept by value.
struct step_clock {
  training_job job;
  interconnect links;
  training_coefficients measured;
  kernel_rates rates;

  [[nodiscard]] layer_clock layers() const { return {job, links, measured, rates}; }
};

struct step_model::tables {
  tables(const training_job& job, const accelerator& device, const interconnect& links,
         const training_coefficients& measured);

  step_clock clock;
  accelerator gpu;
  layer_table layers;
  expert_table experts;
  gather_table gathers;
  model_weights weights;
  double tokens = 0;           // per step
  double peak_flop_per_s = 0;  // of the job's compute type
  double model_flop = 0;
  std::array<double, 3> hardware_flop{};  // by recomputation
};

}  // namespace ridge::plan::train
