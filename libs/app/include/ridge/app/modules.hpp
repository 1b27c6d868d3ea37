// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include <ridge/app/command_group.hpp>
#include <ridge/app/experiment_shelf.hpp>
#include <ridge/base/result.hpp>
#include <ridge/store/store.hpp>

namespace ridge::app {

// The symbol `ridge_group` that the shared object of a command group exports. The group is opened only when
// `interface_digest`, which stays the first member in every version, equals that of the program.
struct group_module {
  const char* interface_digest = nullptr;
  group_commands commands = nullptr;
};

// The symbol `ridge_store` that the shared object of a store's backend exports, opened as a group is.
struct store_module {
  const char* interface_digest = nullptr;
  std::unique_ptr<store::store> (*open)(const store::options&) = nullptr;
};

// Returns the module of a store's backend in lib/ridge/stores/<name>.so beside the folder of this program; an
// error where it is not built, or was built for another program.
[[nodiscard]] result<const store_module*> store_beside_program(const std::string& name);

// Returns the chapters in lib/ridge/chapters beside the folder of this program.
[[nodiscard]] experiment_shelf chapters_beside_program();

// Returns the group in lib/ridge/commands/<name>.so beside the folder of this program; it is opened when one
// of its commands is called. Where it is not built, its commands say how to build it.
[[nodiscard]] command_group group_beside_program(const std::string& name);

}  // namespace ridge::app
