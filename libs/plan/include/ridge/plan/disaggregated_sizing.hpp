// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/choice_simulation.hpp>
#include <ridge/plan/cluster_sizing.hpp>
#include <ridge/plan/serve/simulated_cluster.hpp>

namespace ridge::plan {

// So many replicas of one offer prefill, and of another decode.
struct disaggregated_choice {
  std::size_t prefill = 0, decode = 0;            // indices of the offers
  int prefill_replicas = 0, decode_replicas = 0;  // spare ones included
  std::int64_t gpus = 0;
  std::optional<double> usd_per_hour{};
  simulated_choice simulated{};  // of all replicas in the busiest hour
};

// The link between replicas of two offers, of which so many decode.
using kv_links = std::function<result<serve::disaggregation_settings>(std::size_t prefill, std::size_t decode,
                                                                      int decoding)>;

struct disaggregated_limits {
  std::int64_t gpus = 64;               // most GPUs of both pools together
  std::int64_t search_requests = 4000;  // of each simulation of the search
};

// Searches the layouts of both pools and their numbers of replicas for the cheapest cluster (fewest GPUs
// where a price is unknown) whose simulation stays within the objectives while the busiest hour, divided by
// what headroom leaves, arrives. First tokens depend on the prefilling pool alone, so its smallest number is
// found by itself; then the smallest decoding pool of each pair, in the order of a bound of its cost. More
// replicas are taken to be no slower. Spare replicas are added to each pool. Cheapest first; empty: nothing
// within the GPUs keeps the objectives. The error is that of the simulator.
[[nodiscard]] result<std::vector<disaggregated_choice>> size_disaggregated(
    const serving_load& load, const latency_objective& slo, const replica_policy& p,
    std::span<const replica_offer> offers, const kv_links& links, const disaggregated_limits& limits,
    const choice_simulation& simulation);

}  // namespace ridge::plan
