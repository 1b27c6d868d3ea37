// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/app/command.hpp>

namespace ridge::app {

// An option or a positional argument as help, manual and completions show it. `value` is what it takes:
// "" for a flag, "minimal|standard|deep" for a choice, else a word in capitals (FILE, TARGET, ID ...).
struct option_node {
  std::vector<std::string> names{};  // "--profile", "-p"; of a positional argument its one name
  std::string value{};
  std::string help{};
  bool required = false;
  bool repeats = false;
};

// What the parser accepts, as plain data: the one source of `--help`, the manual page and the completions.
struct command_node {
  std::string name{};
  std::string summary{};
  std::string details{};
  std::vector<option_node> options{};
  std::vector<option_node> positionals{};
  std::vector<command_node> commands{};
};

// The tree of the program's command or of one of its commands, without what is hidden. Every command has
// --help, the program's own also --version.
[[nodiscard]] command_node tree_of_program(const command& root);
[[nodiscard]] command_node tree_of(const command& described);

// The words of a choice ("minimal|standard|deep"); empty for anything else.
[[nodiscard]] std::vector<std::string> choices_of(const option_node& option);

// "--profile=minimal|standard|deep", "-f"
[[nodiscard]] std::string spelled(const option_node& option);

// "run [OPTIONS] [TARGET...]"
[[nodiscard]] std::string synopsis(const command_node& command);

}  // namespace ridge::app
