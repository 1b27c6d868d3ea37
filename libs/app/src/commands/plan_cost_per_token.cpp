// SPDX-License-Identifier: Apache-2.0
#include "plan_commands.hpp"

namespace ridge::app {

void add_plan_cost_per_token(command&, context&) {}

}  // namespace ridge::app
