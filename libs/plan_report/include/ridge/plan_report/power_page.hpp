// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include <ridge/analysis/power.hpp>
#include <ridge/plan/figure.hpp>
#include <ridge/report/document.hpp>

namespace ridge::plan_report {

// A load and its power model.
struct power_answer {
  analysis::power_model model{};
  double memory_share = 0, compute_share = 0;
  int gpus = 1;
  std::optional<double> tokens_per_s{}, flop_per_s{};  // all GPUs together
};

// "ridge.plan.power/1": power and energy of the load.
[[nodiscard]] report::document power_page(const power_answer& a);
// All figures behind the answer, in W and J.
[[nodiscard]] plan::derivation power_derivation(const power_answer& a);
// All power models with their errors.
[[nodiscard]] report::document power_models_page(std::span<const analysis::power_model> all);

}  // namespace ridge::plan_report
