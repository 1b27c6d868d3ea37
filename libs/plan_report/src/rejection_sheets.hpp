// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/plan/train/parallelism.hpp>
#include <ridge/report/document.hpp>

namespace ridge::plan_report {

// Numbers of rejected plans by reason.
[[nodiscard]] report::sheet rejected_sheet(const plan::train::parallelism_answer& a);
// The cost of each limit.
[[nodiscard]] report::sheet limits_sheet(const plan::train::parallelism_answer& a);

}  // namespace ridge::plan_report
