// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/plan/figure.hpp>
#include <ridge/report/document.hpp>

namespace ridge::plan_report {

// Puts the figures into an answer: each as a fact by its id (unless the answer has a fact of that name), all
// as the sheet "figures" with label, value, unit, formula, inputs, basis, source, low and high. Text shows
// that sheet only when `explained`.
void add_derivation(report::document& answer, const plan::derivation& how, bool explained);

// One figure as text: "KV cache per token: 320 KiB" and below it formula, inputs, source, band.
[[nodiscard]] std::string explained(const plan::figure& f);

}  // namespace ridge::plan_report
