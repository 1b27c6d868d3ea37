// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/plan/kernels/step_timer.hpp>
#include <ridge/plan/serve/replica_plan.hpp>

namespace ridge::plan::serve {

// Gives the engine of the plan the adapters of the question: slots, the time of a load and of a step. The
// error names what is out of range.
[[nodiscard]] result<void> take_adapters(replica_plan& plan, const replica_question& q,
                                         const kernels::step_request& step,
                                         const kernels::kernel_times& times);

}  // namespace ridge::plan::serve
