// SPDX-License-Identifier: Apache-2.0
#include "plan_commands.hpp"

namespace ridge::app {

void add_plan_stacking(command&, context&) {}

}  // namespace ridge::app
