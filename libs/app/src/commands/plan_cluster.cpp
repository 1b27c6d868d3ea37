// SPDX-License-Identifier: Apache-2.0
#include "plan_commands.hpp"

namespace ridge::app {

void add_plan_cluster(command&, context&) {}

}  // namespace ridge::app
