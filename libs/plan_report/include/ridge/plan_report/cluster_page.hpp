// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/plan/cluster.hpp>
#include <ridge/plan/cluster_simulation.hpp>
#include <ridge/report/document.hpp>

namespace ridge::plan_report {

struct cluster_view {
  std::string model{};
  const plan::serving_load* load = nullptr;
  const plan::latency_objective* slo = nullptr;
  const plan::replica_policy* policy = nullptr;
  const plan::cluster_answer* answer = nullptr;
  std::vector<plan::simulated_choice> simulated{};  // of the first choices, in their order
};

[[nodiscard]] report::document cluster_page(const cluster_view& v);

}  // namespace ridge::plan_report
