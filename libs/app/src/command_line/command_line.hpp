// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/app/context.hpp>

#include "command_line/command_tree.hpp"

namespace ridge::app {

// Parses `program.typed`, runs the command that it names, and returns the exit code.
[[nodiscard]] int run_command_line(context& program);

// Returns every command and option that the parser accepts, of all groups.
[[nodiscard]] command_node whole_tree(context& program);

}  // namespace ridge::app
