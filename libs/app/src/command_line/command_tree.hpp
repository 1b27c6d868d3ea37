// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/app/command.hpp>

namespace ridge::app {

// An option or a positional argument as help, manual and completions show it. `value` is what it takes: ""
// for a flag, "minimal|standard|deep" for a choice, else a word in capitals (FILE, TARGET, ID ...).
struct option_node {
  std::vector<std::string> names{};  // "--profile", "-p"; the single name of a positional argument
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

// Return the tree of the command of the program, or of one of its commands, without hidden parts. Every
// command has --help; that of the program also has --version.
[[nodiscard]] command_node tree_of_program(const command& root);
[[nodiscard]] command_node tree_of(const command& described);

// Returns the words of a choice ("minimal|standard|deep"); nothing for any other value.
[[nodiscard]] std::vector<std::string> choices_of(const option_node& option);

// Returns an option as help shows it: "--profile minimal|standard|deep", "--format, -f".
[[nodiscard]] std::string spelled(const option_node& option);

// Returns the synopsis of a command: "run [OPTIONS] [TARGETS...]".
[[nodiscard]] std::string synopsis(const command_node& command);

}  // namespace ridge::app
