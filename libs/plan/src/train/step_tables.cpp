// SPDX-License-Identifier: Apache-2.0
#include "step_tables.hpp"

#include <ridge/plan/train/training_flop.hpp>

namespace ridge::plan::train {

step_model::tables::tables(const training_job& job, const accelerator& device, const interconnect& links,
                           const training_coefficients& measured)
    : clock{job, links, measured, rates_of(job, device, measured)},
      gpu(device),
      layers(clock.layers()),
      experts(clock.layers()),
      gathers(links),
      weights(weights_of(job.model)),
      tokens(static_cast<double>(job.global_batch) * static_cast<double>(job.sequence)),
      peak_flop_per_s(device.peak_flop_per_s(job.compute_type)),
      model_flop(train::model_flop(job)) {
  for (const auto r : {recomputation::none, recomputation::selective, recomputation::full})
    hardware_flop[static_cast<std::size_t>(r)] = train::hardware_flop(job, r);
}

}  // namespace ridge::plan::train
