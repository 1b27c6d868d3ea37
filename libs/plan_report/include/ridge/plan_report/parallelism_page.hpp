// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/plan/train/parallelism.hpp>
#include <ridge/report/chart.hpp>
#include <ridge/report/document.hpp>

namespace ridge::plan_report {

// "ridge.plan.parallelism/1": plans, best first; the Pareto front; what was rejected and why; which limit
// binds.
[[nodiscard]] report::document parallelism_page(const plan::train::parallelism_question& q,
                                                const plan::train::parallelism_answer& a);

// The Pareto front: memory of a GPU over the time of a step, a line a number of GPUs.
[[nodiscard]] report::chart parallelism_chart(const plan::train::parallelism_question& q,
                                              const plan::train::parallelism_answer& a);

}  // namespace ridge::plan_report
