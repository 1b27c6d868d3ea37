// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/app/terminal.hpp>

#include "command_line/command_tree.hpp"

namespace ridge::app {

// Returns what `--help` prints for a command; `path` is how it is called ("ridge run").
[[nodiscard]] std::string help_page(const command_node& command, const std::string& path,
                                    const terminal& screen);

}  // namespace ridge::app
