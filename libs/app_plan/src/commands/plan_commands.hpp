// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/app/command.hpp>
#include <ridge/app/context.hpp>

namespace ridge::app_plan {

// The verbs of `ridge plan`, one file each.
void add_plan_kv_cache(app::command& command, app::context& context);
void add_plan_memory(app::command& command, app::context& context);
void add_plan_cost_per_token(app::command& command, app::context& context);
void add_plan_parallelism(app::command& command, app::context& context);
void add_plan_cluster(app::command& command, app::context& context);
void add_plan_scaling(app::command& command, app::context& context);
void add_plan_serve(app::command& command, app::context& context);
void add_plan_deploy(app::command& command, app::context& context);
void add_plan_calibrate(app::command& command, app::context& context);
void add_plan_measure(app::command& command, app::context& context);
void add_plan_gpus(app::command& command, app::context& context);
void add_plan_models(app::command& command, app::context& context);
void add_plan_whatif(app::command& command, app::context& context);
void add_plan_stacking(app::command& command, app::context& context);
void add_plan_power(app::command& command, app::context& context);

}  // namespace ridge::app_plan
