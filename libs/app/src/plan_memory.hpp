// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "command.hpp"
#include "context.hpp"
#include "plan_input.hpp"

namespace ridge::app {

void add_plan_memory_train(command& of, context& in);
void add_plan_memory_infer(command& of, context& in);

// A GPU with the memory that is asked about: of the catalogue, or --memory.
struct memory_of_gpu {
  plan::accelerator gpu{};
  double bytes = 0;
};
[[nodiscard]] result<memory_of_gpu> memory_of_gpu_of(const gpu_choice& c, const std::optional<double>& gib);

}  // namespace ridge::app
