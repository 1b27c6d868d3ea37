// SPDX-License-Identifier: Apache-2.0
#include <ridge/app_results/commands.hpp>

#include <algorithm>

#include "analysis_command.hpp"
#include "store_command.hpp"
#include "tui_command.hpp"

namespace ridge::app_results {
namespace {

std::vector<std::string_view> names_of_commands() {
  std::vector<std::string_view> names;
  for (const auto& one : results::analyses()) {
    if (std::ranges::find(names, one.command) == names.end()) names.push_back(one.command);
  }
  return names;
}

analysis_list analyses_of(std::string_view command) {
  analysis_list all;
  for (const auto& one : results::analyses()) {
    if (one.command == command) all.push_back(&one);
  }
  return all;
}

}  // namespace

std::list<app::command> commands(app::context& program) {
  std::list<app::command> made;
  for (const auto name : names_of_commands())
    made.push_back(analysis_command(std::string(name), analyses_of(name), program));
  made.push_back(store_command(program));
  made.push_back(tui_command(program));
  return made;
}

}  // namespace ridge::app_results
