// SPDX-License-Identifier: Apache-2.0
#include <ridge/app/modules.hpp>

#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "modules/module_file.hpp"

namespace ridge::app {
namespace {

result<group_commands> open_group(const std::string& name) {
  const auto path = module_folder() / "commands" / (name + ".so");
  if (!std::filesystem::exists(path))
    return error{fmt::format("the commands of \"{}\" are not built here", name),
                 fmt::format("`{}` builds them", command_that_builds(name))};
  const auto opened = open_module(path, "ridge_group", command_that_builds(name));
  if (!opened) return opened.why();
  return static_cast<const group_module*>(*opened)->commands;
}

}  // namespace

experiment_shelf chapters_beside_program() {
  const auto* const layout = std::getenv("RIDGE_LAYOUT");
  return {{}, chapters_in(module_folder(), layout == nullptr ? 0 : std::atoi(layout))};
}

command_group group_beside_program(const std::string& name) {
  return {.name = name, .open = [name] { return open_group(name); }};
}

}  // namespace ridge::app
