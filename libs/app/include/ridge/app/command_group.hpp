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

// Returns the commands of a group. It is the one function that the library of a group offers; the context
// outlives the commands.
using group_commands = std::list<command> (*)(context& program);

// Commands in a library of their own, which is linked with the program or opened when one of them is called.
// `open` returns the function of the group, or an error that says why it is missing and how to build it.
struct command_group {
  std::string name{};  // one of known_groups(): "plan"
  std::function<result<group_commands>()> open{};
};

// Returns a group that is linked with the program.
[[nodiscard]] command_group linked_group(std::string name, group_commands commands);

// What a program knows about a group without opening it: enough for the list of commands.
struct known_command {
  std::string_view name{};
  std::string_view summary{};
};
struct known_group {
  std::string_view name{};
  std::vector<known_command> commands{};
};

// Returns all groups, in the order of the help page. The tests of a group prove that this table says the same
// as the commands of the group.
[[nodiscard]] const std::vector<known_group>& known_groups();

}  // namespace ridge::app
