// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/plan/figure.hpp>

namespace ridge::plan::train {

// Expected largest of n draws of a standard normal, by integration; sqrt(2 ln n) is its bound from above.
[[nodiscard]] double expected_maximum(std::int64_t n);

// A step that waits for the slowest of n GPUs, over one that does not: 1 + sigma · expected_maximum(n); sigma
// is the standard deviation of a GPU's time over its mean.
[[nodiscard]] double straggler_factor(double sigma, std::int64_t gpus);

// Tokens of the busiest rank over the mean, for `assignments` tokens · top_k routed to experts whose shares
// fall as rank^-skew (0: all alike), dealt to ranks so that the busiest experts lie apart.
[[nodiscard]] double expert_imbalance(std::int64_t experts, std::int64_t ranks, double assignments,
                                      double skew);

// What fails, and what is done about it.
struct reliability {
  double gpu_mtbf_s = 0;    // mean time between failures of one GPU and its share of the machine; 0: never
  double checkpoint_s = 0;  // the job stands still so long to save its state
  double restart_s = 0;     // from a failure until the last checkpoint computes again
  double interval_s = 0;    // of computing between checkpoints; 0: the best
};

// Share of the time that a job of so many GPUs computes what it keeps.
struct goodput {
  double mtbf_s = 0;            // of the job: gpu_mtbf_s / GPUs
  double young_interval_s = 0;  // sqrt(2 C M) (Young, 1974)
  double daly_interval_s = 0;   // its higher order (Daly, 2006)
  double interval_s = 0;        // used
  double share = 1;             // effective training time ratio
  double checkpoint_share = 0;  // of the time lost: saving, computing again, restarting
  double rework_share = 0;
  double restart_share = 0;
};

[[nodiscard]] double young_interval_s(double checkpoint_s, double mtbf_s);
[[nodiscard]] double daly_interval_s(double checkpoint_s, double mtbf_s);

// Failures come at random, also while saving and restarting. Expected wall time (Daly, 2006): M e^(R/M)
// (e^((t + C)/M) - 1) for t seconds of work.
[[nodiscard]] goodput goodput_of(const reliability& r, std::int64_t gpus);

// A whole training run.
struct training_run {
  double tokens = 0;
  double tokens_per_step = 0;
  double step_s = 0;
  std::int64_t gpus = 0;
  double dollars_per_gpu_hour = 0;  // 0: unknown
  double gpu_power_w = 0;           // 0: unknown
  double power_usage = 1;           // of the facility over that of the GPUs
};

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

[[nodiscard]] run_estimate estimate(const training_run& run, const goodput& g);

[[nodiscard]] derivation explain(const reliability& r, const training_run& run);

}  // namespace ridge::plan::train
