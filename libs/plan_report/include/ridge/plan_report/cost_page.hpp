// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/plan/cost.hpp>
#include <ridge/plan/cost_uncertainty.hpp>
#include <ridge/report/document.hpp>

namespace ridge::plan_report {

// A cost answer and its question. No pointer is null.
struct cost_view {
  const plan::cost_question* asked = nullptr;
  const plan::cost_answer* answer = nullptr;
  std::vector<plan::sensitivity_row> sensitivity{};
  plan::cost_bands bands{};
  bool show_sensitivity = false;     // whether text shows it; JSON always has it
  std::vector<std::string> notes{};  // assumptions made
};

// "ridge.plan.cost-per-token/1": the parts of the cost, the totals, their bands and the sensitivity to each
// input.
[[nodiscard]] report::document cost_page(const cost_view& v);

}  // namespace ridge::plan_report
