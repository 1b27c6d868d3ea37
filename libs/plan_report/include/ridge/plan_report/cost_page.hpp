// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/plan/cost.hpp>
#include <ridge/plan/cost_uncertainty.hpp>
#include <ridge/report/document.hpp>

namespace ridge::plan_report {

struct cost_view {
  const plan::cost_question* asked = nullptr;
  const plan::cost_answer* answer = nullptr;
  std::vector<plan::sensitivity_row> sensitivity{};
  plan::cost_bands bands{};
  bool show_sensitivity = false;     // in text; JSON has it always
  std::vector<std::string> notes{};  // what was assumed on the way
};

[[nodiscard]] report::document cost_page(const cost_view& v);

}  // namespace ridge::plan_report
