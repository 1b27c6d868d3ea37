// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <ridge/app/command.hpp>
#include <ridge/app/context.hpp>
#include <ridge/plan/parallel_layout.hpp>

#include "input/plan_input.hpp"

namespace ridge::app_plan {

// Adds the commands `train` and `infer` of `ridge plan memory`.
void add_plan_memory_train(app::command& command, app::context& context);
void add_plan_memory_infer(app::command& command, app::context& context);

// A GPU and the size of its memory: that of the catalogue, or --memory.
struct memory_of_gpu {
  plan::accelerator gpu{};
  double bytes = 0;
};
// The chosen GPU with the memory of the catalogue, or with `gib` instead.
[[nodiscard]] result<memory_of_gpu> memory_of_gpu_of(const gpu_choice& c, const std::optional<double>& gib);

// Refuses layouts with more GPUs than any cluster has, before products of their parts overflow.
[[nodiscard]] result<void> check_gpus(const plan::parallel_layout& l);

}  // namespace ridge::app_plan
