// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include <ridge/analysis/stacking.hpp>
#include <ridge/plan/figure.hpp>
#include <ridge/report/document.hpp>

namespace ridge::plan_report {

// A case, the set that was chosen or asked for, and what each technique brings alone.
struct stacking_answer {
  analysis::stacking_case given{};
  analysis::combination stack{};
  std::vector<analysis::combination> alone{};
  std::vector<analysis::pair_verdict> pairs{};
  bool searched = true;  // the stack is the best one; else the one asked for
};

[[nodiscard]] report::document stacking_page(const stacking_answer& a);  // ridge.plan.stacking/1
[[nodiscard]] plan::derivation stacking_derivation(const stacking_answer& a);
// Techniques with what they need and break, and every conflict among them.
[[nodiscard]] report::document techniques_page(std::span<const analysis::technique> all);

}  // namespace ridge::plan_report
