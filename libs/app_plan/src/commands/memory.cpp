// SPDX-License-Identifier: Apache-2.0
#include "commands/plan_commands.hpp"
#include "input/plan_memory.hpp"

namespace ridge::app_plan {

void add_plan_memory(app::command& command, app::context& context) {
  auto& memory = command.add(
      "memory", "Memory of every rank in training or serving, whether it fits, and what would help");
  memory.needs_command();
  add_plan_memory_train(memory, context);
  add_plan_memory_infer(memory, context);
  memory.notes(
      "Each figure of a rank has a formula and a source, which `--explain` prints. "
      "docs/design/plan/memory.md");
}

}  // namespace ridge::app_plan
