// SPDX-License-Identifier: Apache-2.0
#include "input/plan_adapters.hpp"

namespace ridge::app_plan {

void add_adapter_options(app::command& command, adapter_options& options) {
  command.option("--lora-adapters", options.adapters, "N", "Number of LoRA adapters that requests use (0)")
      .option("--lora-rank", options.rank, "R", "Rank of the adapters")
      .choice("--lora-targets", options.targets, {"attention", "all"},
              "Products that they change: attention alone, or dense blocks too (all)")
      .option("--lora-resident", options.resident, "K",
              "Adapters in the GPU's memory at a time, and in one step (all)");
}

plan::adapter_choice adapters_of(const adapter_options& options) {
  plan::adapter_choice chosen{.count = options.adapters, .rank = options.rank, .resident = options.resident};
  if (options.targets == "attention") chosen.targets = plan::adapter_targets::attention;
  return chosen;
}

}  // namespace ridge::app_plan
