// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/app/command_group.hpp>
#include <ridge/app/experiment_shelf.hpp>

namespace ridge::app {

// What the shared object of a command group exports under the C name `ridge_group`. It is opened only when
// `interface_digest`, which stays the first member in every version, equals the program's own.
struct group_module {
  const char* interface_digest = nullptr;
  group_commands commands = nullptr;
};

// The chapters in lib/ridge/chapters beside this program's folder.
[[nodiscard]] experiment_shelf chapters_beside_program();

// A group in lib/ridge/commands/<name>.so beside this program's folder, opened when one of its commands is
// called. Where it is not built, its commands say how to build it.
[[nodiscard]] command_group group_beside_program(const std::string& name);

}  // namespace ridge::app
