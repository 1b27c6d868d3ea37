// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include <ridge/analysis/power.hpp>
#include <ridge/plan/figure.hpp>
#include <ridge/report/document.hpp>

namespace ridge::plan_report {

// A load put to a power model.
struct power_answer {
  analysis::power_model model{};
  double memory_share = 0, compute_share = 0;
  int gpus = 1;
  std::optional<double> tokens_per_s{}, flop_per_s{};  // of all GPUs
};

[[nodiscard]] report::document power_page(const power_answer& a);  // ridge.plan.power/1
[[nodiscard]] plan::derivation power_derivation(const power_answer& a);
// What models there are, with their errors.
[[nodiscard]] report::document power_models_page(std::span<const analysis::power_model> all);

}  // namespace ridge::plan_report
