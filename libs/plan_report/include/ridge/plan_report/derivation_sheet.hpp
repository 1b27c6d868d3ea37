// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/plan/figure.hpp>
#include <ridge/report/document.hpp>

namespace ridge::plan_report {

// Adds the figures to a document: each as a fact under its id (unless the document has a fact of that name),
// and all as the sheet "figures" with label, value, unit, formula, inputs, basis, source, low and high. Text
// shows the sheet only when `explained`.
void add_derivation(report::document& answer, const plan::derivation& derivation, bool explained);

// One figure as text: "KV cache per token: 320 KiB" and below it formula, inputs, source, band.
[[nodiscard]] std::string explained(const plan::figure& f);

}  // namespace ridge::plan_report
