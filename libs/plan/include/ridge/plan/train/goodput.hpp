// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/plan/figure.hpp>

namespace ridge::plan::train {

// Expected maximum of n standard normal variables, by numerical integration; its upper bound is sqrt(2 ln n).
[[nodiscard]] double expected_maximum(std::int64_t n);

// Time of a step that waits for the slowest of n GPUs over the mean time: 1 + sigma · expected_maximum(n).
// sigma is the standard deviation of the time of one GPU over its mean.
[[nodiscard]] double straggler_factor(double sigma, std::int64_t gpus);

// Tokens of the busiest rank over the mean. `assignments` = tokens · top_k are routed to experts whose shares
// decrease as i^-skew (0: all equal); the busiest experts are placed on different ranks.
[[nodiscard]] double expert_imbalance(std::int64_t experts, std::int64_t ranks, double assignments,
                                      double skew);

// Failures and checkpoints of a training job.
struct reliability {
  double gpu_mtbf_s = 0;    // mean time between failures per GPU with its share of the machine; 0: none
  double checkpoint_s = 0;  // time for which the job stops to save its state
  double restart_s = 0;     // from a failure until the job computes again from its checkpoint
  double interval_s = 0;    // computing time between checkpoints; 0: the best
};

// The share of its time in which a job makes progress that is kept.
struct goodput {
  double mtbf_s = 0;            // of the job: gpu_mtbf_s / GPUs
  double young_interval_s = 0;  // sqrt(2 C M) (Young, 1974)
  double daly_interval_s = 0;   // its higher order (Daly, 2006)
  double interval_s = 0;        // the interval in use
  double share = 1;             // effective training time ratio
  double checkpoint_share = 0;  // share of the time lost to saving
  double rework_share = 0;      // share lost to repeated work
  double restart_share = 0;     // share lost to restarts
};

// Best interval between checkpoints in seconds, to first order (Young, 1974) and to higher order (Daly,
// 2006).
[[nodiscard]] double young_interval_s(double checkpoint_s, double mtbf_s);
[[nodiscard]] double daly_interval_s(double checkpoint_s, double mtbf_s);

// Goodput of a job on so many GPUs. Failures are a Poisson process and also happen while saving and
// restarting. Expected wall time for t seconds of work (Daly, 2006): M e^(R/M) (e^((t + C)/M) - 1).
[[nodiscard]] goodput goodput_of(const reliability& r, std::int64_t gpus);

// A whole training run.
struct training_run {
  double tokens = 0;
  double tokens_per_step = 0;
  double step_s = 0;
  std::int64_t gpus = 0;
  double dollars_per_gpu_hour = 0;  // 0: unknown
  double gpu_power_w = 0;           // 0: unknown
  double power_usage = 1;           // power of the facility over that of the GPUs
};

// Time, cost and energy of a training run.
struct run_estimate {
  double steps = 0;
  double compute_s = 0;  // without failures
  double wall_s = 0;
  double gpu_hours = 0;
  double failures = 0;
  double dollars = 0;                     // 0: unknown
  double energy_j = 0;                    // 0: unknown
  double dollars_per_million_tokens = 0;  // 0: unknown
};

// Estimates a run at this goodput.
[[nodiscard]] run_estimate estimate(const training_run& run, const goodput& g);

// The derivation of the goodput, and of the run when run.tokens is given.
[[nodiscard]] derivation explain(const reliability& r, const training_run& run);

}  // namespace ridge::plan::train
