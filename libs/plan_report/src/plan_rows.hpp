// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/plan/train/parallelism.hpp>
#include <ridge/report/document.hpp>

namespace ridge::plan_report {

// Fields and rows of plans with their layout, time, memory and cost; text shows the few that people compare.
[[nodiscard]] std::vector<report::field> plan_fields(bool priced);
[[nodiscard]] report::row plan_row(const plan::train::evaluated_plan& p, double usable_bytes, bool priced);

// Seconds of communication that computation does not hide.
[[nodiscard]] double exposed_s(const plan::train::step_time& t);

}  // namespace ridge::plan_report
