// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/app/context.hpp>

#include "command_line/command_tree.hpp"

namespace ridge::app {

// Parses `in.typed`, runs the command that it names, and returns the exit code.
[[nodiscard]] int run_command_line(context& program);

// What the parser accepts.
[[nodiscard]] command_node whole_tree(context& program);

}  // namespace ridge::app
