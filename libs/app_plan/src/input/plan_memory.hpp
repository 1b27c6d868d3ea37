// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <ridge/app/command.hpp>
#include <ridge/app/context.hpp>
#include <ridge/plan/parallel_layout.hpp>

#include "input/plan_input.hpp"

namespace ridge::app_plan {

void add_plan_memory_train(app::command& of, app::context& in);
void add_plan_memory_infer(app::command& of, app::context& in);

// A GPU with the memory that is asked about: of the catalogue, or --memory.
struct memory_of_gpu {
  plan::accelerator gpu{};
  double bytes = 0;
};
[[nodiscard]] result<memory_of_gpu> memory_of_gpu_of(const gpu_choice& c, const std::optional<double>& gib);

// The error says that no cluster has so many GPUs, before products of parts overflow.
[[nodiscard]] result<void> check_gpus(const plan::parallel_layout& l);

}  // namespace ridge::app_plan
