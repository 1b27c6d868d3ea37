// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <ridge/plan/choice_simulation.hpp>
#include <ridge/plan/cluster_sizing.hpp>
#include <ridge/plan/disaggregated_sizing.hpp>
#include <ridge/plan/gpu_mix.hpp>
#include <ridge/report/document.hpp>

namespace ridge::plan_report {

// A sized cluster and its question. No pointer is null.
struct cluster_view {
  std::string model{};
  const plan::serving_load* load = nullptr;
  const plan::latency_objective* slo = nullptr;
  const plan::replica_policy* policy = nullptr;
  const plan::cluster_answer* answer = nullptr;
  std::vector<plan::simulated_choice> simulated{};  // simulations of the first choices, in order
  std::span<const plan::replica_offer> offers{};    // that the following refer to
  std::optional<plan::gpu_mix> mix{};               // where several kinds may be mixed
  plan::simulated_choice mix_simulated{};
  std::optional<std::vector<plan::disaggregated_choice>> disaggregated{};  // where they were asked for
};

// "ridge.plan.cluster/1": the choices, cheapest first, and why others were rejected.
[[nodiscard]] report::document cluster_page(const cluster_view& v);

}  // namespace ridge::plan_report
