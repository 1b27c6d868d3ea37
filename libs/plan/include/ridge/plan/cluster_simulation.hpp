// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/base/result.hpp>
#include <ridge/plan/cluster.hpp>

namespace ridge::plan {

// What the simulator says of a choice in the busiest hour, beside what the closed form said.
struct simulated_choice {
  double ttft_quantile_s = 0, tpot_quantile_s = 0;
  double ttft_s = 0, tpot_s = 0;  // means
  std::int64_t requests = 0, preemptions = 0;
  bool saturated = false;
  bool met = false;
};

struct choice_simulation {
  std::int64_t requests = 20000;
  std::uint64_t seed = 1;
  std::int64_t block_tokens = 16;
};

// All replicas of the choice, spare ones too, requests dealt out at random, no prefix shared.
[[nodiscard]] result<simulated_choice> simulate_choice(const cluster_choice& c, const replica_offer& o,
                                                       const serving_load& load, const latency_objective& slo,
                                                       const replica_policy& p,
                                                       const choice_simulation& with = {});

}  // namespace ridge::plan
