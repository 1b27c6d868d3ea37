// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/base/result.hpp>
#include <ridge/plan/cluster_sizing.hpp>
#include <ridge/plan/serve/simulated_cluster.hpp>

namespace ridge::plan {

// Latencies that the simulator finds for a choice in the busiest hour, to compare with the closed form.
struct simulated_choice {
  double ttft_quantile_s = 0, tpot_quantile_s = 0;
  double ttft_s = 0, tpot_s = 0;  // means
  std::int64_t requests = 0, preemptions = 0;
  bool saturated = false;
  bool met = false;
};

// How long and with which seed a choice is simulated.
struct choice_simulation {
  std::int64_t requests = 20000;
  std::uint64_t seed = 1;
  std::int64_t block_tokens = 16;
};

// Simulates all replicas of the choice, spare ones too, with random routing and no shared prefixes. The error
// is that of the generator or of the simulator (settings that are out of range).
[[nodiscard]] result<simulated_choice> simulate_choice(const cluster_choice& c, const replica_offer& o,
                                                       const serving_load& load, const latency_objective& slo,
                                                       const replica_policy& p,
                                                       const choice_simulation& simulation = {});

// Some replicas of an offer.
struct replicas_of_offer {
  const replica_offer* offer = nullptr;  // not null
  int replicas = 1;
};

// The first tokens of a pool that only prefills: its TTFT, and whether it is met. TPOT is 0.
[[nodiscard]] result<simulated_choice> simulate_prefill(const replica_offer& o, int replicas,
                                                        const serving_load& load,
                                                        const latency_objective& slo, const replica_policy& p,
                                                        const choice_simulation& simulation);
// A pool that prefills, one that decodes, and the link between both.
[[nodiscard]] result<simulated_choice> simulate_disaggregated(
    const replicas_of_offer& prefill, const replicas_of_offer& decode,
    const serve::disaggregation_settings& link, const serving_load& load, const latency_objective& slo,
    const replica_policy& p, const choice_simulation& simulation);

}  // namespace ridge::plan
