// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/plan/train/layout_table.hpp>
#include <ridge/report/document.hpp>

namespace ridge::plan_report {

// "ridge.plan.layout_table/1": usual layouts by size of model compared with the best plans, and where they
// differ.
[[nodiscard]] report::document layout_table_page(const plan::train::parallelism_question& q,
                                                 const std::vector<plan::train::checked_rule>& rules);

}  // namespace ridge::plan_report
