// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/choice_simulation.hpp>
#include <ridge/plan/cluster_sizing.hpp>

namespace ridge::plan {

// The replicas of one kind in a mix, and the requests that go to them: those whose prompts lie between two
// quantiles of the prompts' lengths.
struct mixed_pool {
  std::size_t offer = 0;                             // index of its offer
  double lowest_quantile = 0, highest_quantile = 1;  // quantiles of the prompts' lengths
  double longest_input = 0;                          // tokens of its longest prompts; the router's threshold
  bool splits_length = false;  // the next pool has prompts of that length, too: they are dealt out by share
  serving_load load{};         // of this pool alone
  cluster_choice choice{};
};

// A cluster of several kinds of replicas.
struct gpu_mix {
  std::vector<mixed_pool> pools{};  // by length of prompts; one: a single kind is cheapest
  double usd_per_hour = 0;
};

// The cheapest way to divide the requests by the length of their prompts, which a router knows, among kinds
// of replicas (Griggs et al., "Mélange: Cost Efficient Large Language Model Serving by Exploiting GPU
// Heterogeneity", 2024, who divide by answers, too). Prompts are cut at `slices` quantiles; every interval
// between cuts is sized with every priced offer as size_cluster() does, spare replicas included, and the
// cheapest chain of intervals is found exactly by dynamic programming. One interval is the best single kind,
// so that a mix is never dearer. The error is that of size_cluster(), or says that no priced offer serves all
// requests.
[[nodiscard]] result<gpu_mix> cheapest_mix(const serving_load& load, const latency_objective& slo,
                                           const replica_policy& p, std::span<const replica_offer> offers,
                                           int slices = 10);

// Simulates the pools of a mix, each under its own requests, and judges all requests together: met where the
// quantile of all holds and no pool is saturated.
[[nodiscard]] result<simulated_choice> simulate_mix(const gpu_mix& mix, std::span<const replica_offer> offers,
                                                    const latency_objective& slo, const replica_policy& p,
                                                    const choice_simulation& simulation = {});

}  // namespace ridge::plan
