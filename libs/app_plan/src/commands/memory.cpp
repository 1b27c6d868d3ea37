// SPDX-License-Identifier: Apache-2.0
#include "commands/plan_commands.hpp"
#include "input/plan_memory.hpp"

namespace ridge::app_plan {

void add_plan_memory(app::command& of, app::context& in) {
  auto& memory =
      of.add("memory", "What every rank holds, in training or serving: does it fit, and what would help");
  memory.needs_command();
  add_plan_memory_train(memory, in);
  add_plan_memory_infer(memory, in);
  memory.notes(
      "Each figure of a rank is computed, not scaled: `--explain` prints formula and source. "
      "docs/design/plan/memory.md");
}

}  // namespace ridge::app_plan
