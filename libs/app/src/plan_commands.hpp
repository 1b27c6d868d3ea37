// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command.hpp"
#include "context.hpp"

namespace ridge::app {

// The verbs of `ridge plan`, one file each.
void add_plan_kv_cache(command& of, context& in);
void add_plan_memory(command& of, context& in);
void add_plan_cost_per_token(command& of, context& in);
void add_plan_parallelism(command& of, context& in);
void add_plan_cluster(command& of, context& in);
void add_plan_scaling(command& of, context& in);
void add_plan_serve(command& of, context& in);
void add_plan_calibrate(command& of, context& in);
void add_plan_gpus(command& of, context& in);
void add_plan_models(command& of, context& in);
void add_plan_whatif(command& of, context& in);
void add_plan_stacking(command& of, context& in);
void add_plan_power(command& of, context& in);

}  // namespace ridge::app
