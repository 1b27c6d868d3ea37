// SPDX-License-Identifier: Apache-2.0
#include "plan_memory.hpp"

#include "plan_commands.hpp"

namespace ridge::app {

void add_plan_memory(command& of, context& in) {
  auto memory =
      of.add("memory", "What every rank holds, in training or serving: does it fit, and what would help");
  memory.needs_command();
  add_plan_memory_train(memory, in);
  add_plan_memory_infer(memory, in);
  memory.notes(
      "Each figure of a rank is computed, not scaled: `--explain` prints formula and source. "
      "docs/design/plan/memory.md");
}

}  // namespace ridge::app
