// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <list>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/app/command.hpp>
#include <ridge/base/result.hpp>

namespace ridge::app {

struct context;

// Returns the commands of a group. The one function that a group's library offers; the context outlives them.
using group_commands = std::list<command> (*)(context& program);

// Commands that stand in a library of their own, linked with the program or opened when one of them is
// called. `open` returns the group's function, or why it cannot be had (then with the remedy: how to build
// it).
struct command_group {
  std::string name{};  // "plan": of known_groups()
  std::function<result<group_commands>()> open{};
};

// A group that is linked with the program.
[[nodiscard]] command_group linked_group(std::string name, group_commands commands);

// What a program knows of a group without opening it: enough for the list of commands.
struct known_command {
  std::string_view name{};
  std::string_view summary{};
};
struct known_group {
  std::string_view name{};
  std::vector<known_command> commands{};
};

// The groups that there are, in the order of the help page. A group's tests prove that this table says what
// the group's own commands say.
[[nodiscard]] const std::vector<known_group>& known_groups();

}  // namespace ridge::app
