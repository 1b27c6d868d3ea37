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

result<const store_module*> store_beside_program(const std::string& name) {
  const auto path = module_folder() / "stores" / (name + ".so");
  if (!std::filesystem::exists(path))
    return error{fmt::format("this program has no backend for stores at {}://", name),
                 name == "postgresql"
                     ? fmt::format("install libpqxx-dev; then `{}` builds it", command_that_builds(name))
                     : "give --store the path of an SQLite file, or a URL postgresql://..."};
  const auto opened = open_module(path, "ridge_store", command_that_builds(name));
  if (!opened) return opened.why();
  return static_cast<const store_module*>(*opened);
}

experiment_shelf chapters_beside_program() {
  const auto* const layout = std::getenv("RIDGE_LAYOUT");
  return {{}, chapters_in(module_folder(), layout == nullptr ? 0 : std::atoi(layout))};
}

command_group group_beside_program(const std::string& name) {
  return {.name = name, .open = [name] { return open_group(name); }};
}

}  // namespace ridge::app
