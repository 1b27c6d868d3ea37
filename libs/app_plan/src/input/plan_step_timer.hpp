// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include <ridge/app/command.hpp>
#include <ridge/base/result.hpp>
#include <ridge/plan/accelerator.hpp>
#include <ridge/plan/kernels/kernel_times.hpp>
#include <ridge/plan/kernels/step_timer.hpp>

namespace ridge::app_plan {

// How the steps of a serving engine are timed.
struct step_timer_choice {
  std::string weights{}, kv{"bf16"}, tables{}, kernels{};
};

// Adds --weights, --kv-format, --tables and --kernels.
void add_step_timer_choice(app::command& command, step_timer_choice& choice);

// Kernel times: interpolated from measured tables when --tables or RIDGE_DATA has them, else by fitted
// coefficients.
[[nodiscard]] result<std::shared_ptr<const plan::kernels::kernel_times>> kernel_times_of(
    const step_timer_choice& c, const plan::accelerator& gpu);

// The step timer of an engine with `tensor` ranks.
[[nodiscard]] result<std::shared_ptr<const plan::kernels::step_timer>> step_timer_of(
    const step_timer_choice& c, const plan::model_shape& model, const plan::accelerator& gpu, int tensor);

}  // namespace ridge::app_plan
