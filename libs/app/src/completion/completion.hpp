// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "command_line/command_tree.hpp"

namespace ridge::app {

// Return a script that completes the commands, options and values of the program, those of commands below
// commands as well: choices come from the tree, experiments from `<program> list --ids`, variants of the
// experiment on the line (or of all) from `<program> list --variants`, runs from `<program> history --runs`,
// files from the shell.
[[nodiscard]] std::string bash_completion(const command_node& root);
[[nodiscard]] std::string zsh_completion(const command_node& root);
[[nodiscard]] std::string fish_completion(const command_node& root);

// A page of the manual: the name of its file, "ridge-run.1", and its text in man(7) macros.
struct manual_file {
  std::string name{};
  std::string text{};
};

// Returns the pages of the manual, section 1: first that of the program, which lists the commands and the
// exit codes, then one for each command. `version` stands in their footers.
[[nodiscard]] std::vector<manual_file> manual_pages(const command_node& root, std::string_view version);

}  // namespace ridge::app
