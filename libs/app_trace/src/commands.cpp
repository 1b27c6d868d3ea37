// SPDX-License-Identifier: Apache-2.0
#include <ridge/app_trace/commands.hpp>

#include "commands/trace_commands.hpp"

namespace ridge::app_trace {

std::list<app::command> commands(app::context& program) {
  app::command root("", "");
  add_profile(root, program);
  add_trace(root, program);
  add_diagnose(root, program);
  return std::move(root.commands());
}

}  // namespace ridge::app_trace
