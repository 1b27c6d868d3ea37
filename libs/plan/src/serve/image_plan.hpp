// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/plan/kernels/step_timer.hpp>
#include <ridge/plan/serve/replica_plan.hpp>

namespace ridge::plan::serve {

// The layers of a model that attend to images attend to those of the question.
[[nodiscard]] result<void> take_cross_rows(replica_question& q);

// Gives the engine of the plan the images of the question: their tokens and the time to encode them. The
// error says which is out of range, or that the model has no tower that is understood.
[[nodiscard]] result<void> take_images(replica_plan& plan, const replica_question& q,
                                       const kernels::step_request& step, const kernels::kernel_times& times);

}  // namespace ridge::plan::serve
