// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "command_line/command_tree.hpp"

namespace ridge::app {

// Return a script that completes the commands, options and values of the program: choices come from the tree,
// experiments from `<program> list --ids`, files from the shell.
[[nodiscard]] std::string bash_completion(const command_node& root);
[[nodiscard]] std::string zsh_completion(const command_node& root);
[[nodiscard]] std::string fish_completion(const command_node& root);

// Returns the manual page, section 1, in man(7) macros. `version` stands in its footer.
[[nodiscard]] std::string manual_page(const command_node& root, std::string_view version);

}  // namespace ridge::app
