// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/plan/train/parallelism.hpp>
#include <ridge/report/chart.hpp>
#include <ridge/report/document.hpp>

namespace ridge::plan_report {

// "ridge.plan.parallelism/1": plans, best first; the Pareto front; rejected plans by reason; the limit that
// binds.
[[nodiscard]] report::document parallelism_page(const plan::train::parallelism_question& q,
                                                const plan::train::parallelism_answer& a);

// The Pareto front: step time over memory per GPU, one line for each number of GPUs.
[[nodiscard]] report::chart parallelism_chart(const plan::train::parallelism_question& q,
                                              const plan::train::parallelism_answer& a);

}  // namespace ridge::plan_report
