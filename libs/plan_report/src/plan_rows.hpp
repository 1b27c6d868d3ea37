// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/plan/train/parallelism.hpp>
#include <ridge/report/document.hpp>

namespace ridge::plan_report {

// Columns that text shows: those in which plans differ.
struct plan_columns {
  bool priced = false, gpus = false, types = false;
  bool virtual_pipeline = false, context = false, expert = false, expert_tensor = false, schedule = false;
};
[[nodiscard]] plan_columns columns_for(const std::vector<plan::train::evaluated_plan>& plans, bool priced);

// Fields and rows of plans with layout, time, memory and cost; text shows only some of them.
[[nodiscard]] std::vector<report::field> plan_fields(const plan_columns& shown);
[[nodiscard]] report::row plan_row(const plan::train::evaluated_plan& p, double usable_bytes, bool priced);

// Seconds of communication that computation does not overlap.
[[nodiscard]] double exposed_s(const plan::train::step_time& t);

}  // namespace ridge::plan_report
