// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include <ridge/app/exit_code.hpp>
#include <ridge/app/targets.hpp>
#include <ridge/app/version.hpp>

#include "command_line/command_line.hpp"
#include "commands/commands.hpp"
#include "completion/completion.hpp"

namespace ridge::app {
namespace {

int man(const context& program, const std::string& name, const command_node& root) {
  const auto pages = manual_pages(root, version());
  if (name.empty()) {
    program.print(pages.front().text);
    return exit_code::good;
  }
  const auto found = std::ranges::find(pages, root.name + '-' + name + ".1", &manual_file::name);
  if (found != pages.end()) {
    program.print(found->text);
    return exit_code::good;
  }
  std::vector<std::string> names;
  for (const auto& one : root.commands) names.push_back(one.name);
  return program.refuse(unknown_name("command", name, names, "see `ridge --help`"), exit_code::usage);
}

}  // namespace

void add_man(command& parent, context& program) {
  auto name = std::make_shared<std::string>();
  parent.add("man", "Print a page of the manual (ridge man run | man -l -)")
      .option("COMMAND", *name, "COMMAND", "Command whose page to print; the program's own page by default")
      .runs([&program, name] { return man(program, *name, whole_tree(program)); });
}

}  // namespace ridge::app
