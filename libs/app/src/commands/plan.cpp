// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "plan_commands.hpp"

namespace ridge::app {

void add_plan(command& to, context& in) {
  auto plan =
      to.add("plan", "Answer from models: what fits, what it costs, how to spread it, how it will serve");
  plan.needs_command();
  add_plan_kv_cache(plan, in);
  add_plan_memory(plan, in);
  add_plan_cost_per_token(plan, in);
  add_plan_parallelism(plan, in);
  add_plan_cluster(plan, in);
  add_plan_scaling(plan, in);
  add_plan_serve(plan, in);
  add_plan_calibrate(plan, in);
  add_plan_gpus(plan, in);
  add_plan_models(plan, in);
  add_plan_whatif(plan, in);
  add_plan_stacking(plan, in);
  add_plan_power(plan, in);
  plan.notes(
      "Every figure has a unit, a formula, its inputs, a source and a band: --explain prints them. Nothing "
      "is "
      "fetched: models and GPUs are inside the program; --config and --hardware take your own. "
      "docs/guide/plan.md");
}

}  // namespace ridge::app
