// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include <ridge/analysis/whatif.hpp>
#include <ridge/plan/figure.hpp>
#include <ridge/report/document.hpp>

namespace ridge::plan_report {

// A question, all candidates, and the answer.
struct whatif_result {
  std::vector<analysis::candidate> candidates{};
  std::vector<analysis::constraint> limits{};
  analysis::objective objective{};
  analysis::whatif_answer answer{};
  std::vector<analysis::sensitivity> sensitivities{};
  std::size_t rows = 10;  // rows of the table to show
};

// "ridge.plan.whatif/1": candidates that meet the limits, or the limits to relax.
[[nodiscard]] report::document whatif_page(const whatif_result& r);
// The values of the best candidate as figures.
[[nodiscard]] plan::derivation whatif_derivation(const whatif_result& r);

}  // namespace ridge::plan_report
