// SPDX-License-Identifier: Apache-2.0
#include <ridge/app_plan/commands.hpp>

#include "commands/plan_commands.hpp"
#include "input/plan_numbers.hpp"

namespace ridge::app_plan {

std::list<app::command> commands(app::context& program) {
  std::list<app::command> made;
  auto& plan = made.emplace_back(
      "plan", "Answer from models: what fits, what it costs, how to spread it, how it will serve");
  plan.needs_command();
  add_plan_kv_cache(plan, program);
  add_plan_memory(plan, program);
  add_plan_cost_per_token(plan, program);
  add_plan_parallelism(plan, program);
  add_plan_cluster(plan, program);
  add_plan_scaling(plan, program);
  add_plan_serve(plan, program);
  add_plan_deploy(plan, program);
  add_plan_calibrate(plan, program);
  add_plan_measure(plan, program);
  add_plan_gpus(plan, program);
  add_plan_models(plan, program);
  add_plan_whatif(plan, program);
  add_plan_stacking(plan, program);
  add_plan_power(plan, program);
  check_numbers(plan);
  plan.notes(
      "Every figure has a unit, a formula, its inputs, a source and a band: --explain prints them. Nothing "
      "is "
      "fetched: models and GPUs are inside the program; --config and --hardware take your own. "
      "docs/guide/plan.md");
  return made;
}

}  // namespace ridge::app_plan
