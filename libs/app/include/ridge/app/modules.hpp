// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/app/command_group.hpp>
#include <ridge/app/experiment_shelf.hpp>

namespace ridge::app {

// The symbol `ridge_group` that the shared object of a command group exports. The group is opened only when
// `interface_digest`, which stays the first member in every version, equals that of the program.
struct group_module {
  const char* interface_digest = nullptr;
  group_commands commands = nullptr;
};

// Returns the chapters in lib/ridge/chapters beside the folder of this program.
[[nodiscard]] experiment_shelf chapters_beside_program();

// Returns the group in lib/ridge/commands/<name>.so beside the folder of this program; it is opened when one
// of its commands is called. Where it is not built, its commands say how to build it.
[[nodiscard]] command_group group_beside_program(const std::string& name);

}  // namespace ridge::app
