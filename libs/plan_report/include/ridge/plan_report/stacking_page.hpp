// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include <ridge/analysis/stacking.hpp>
#include <ridge/plan/figure.hpp>
#include <ridge/report/document.hpp>

namespace ridge::plan_report {

// A case, the chosen set of techniques, and the gain of each technique alone.
struct stacking_answer {
  analysis::stacking_case given{};
  analysis::combination stack{};
  std::vector<analysis::combination> alone{};
  std::vector<analysis::pair_verdict> pairs{};
  bool searched = true;  // true: the best set; false: the set asked for
};

// "ridge.plan.stacking/1": the combined speedup, and why pairs do or do not combine.
[[nodiscard]] report::document stacking_page(const stacking_answer& a);
// All figures behind the answer.
[[nodiscard]] plan::derivation stacking_derivation(const stacking_answer& a);
// All techniques with their needs, the properties that they break, and their conflicts.
[[nodiscard]] report::document techniques_page(std::span<const analysis::technique> all);

}  // namespace ridge::plan_report
