// SPDX-License-Identifier: Apache-2.0
#include "command_tree.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <ridge/base/text.hpp>

namespace ridge::app {
namespace {

option_node node_of(const CLI::Option& of) {
  option_node made;
  for (const auto& name : of.get_lnames()) made.names.push_back("--" + name);
  for (const auto& name : of.get_snames()) made.names.push_back("-" + name);
  if (of.get_positional()) made.names = {of.get_name(true)};
  if (of.get_items_expected_max() > 0) made.value = of.get_type_name();
  made.help = of.get_description();
  made.required = of.get_required();
  made.repeats = of.get_items_expected_max() > 1;
  return made;
}

}  // namespace

command_node tree_of(const CLI::App& parser) {
  command_node made{
      .name = parser.get_name(), .summary = parser.get_description(), .details = parser.get_footer()};
  for (const auto* option : parser.get_options()) {
    if (option->get_group().empty()) continue;
    (option->get_positional() ? made.positionals : made.options).push_back(node_of(*option));
  }
  for (const auto* command : parser.get_subcommands([](const CLI::App*) { return true; })) {
    if (!command->get_group().empty()) made.commands.push_back(tree_of(*command));
  }
  return made;
}

std::vector<std::string> choices_of(const option_node& option) {
  std::vector<std::string> words;
  const bool placeholder = std::ranges::any_of(option.value, [](char c) { return c >= 'A' && c <= 'Z'; });
  if (placeholder || option.value.find('|') == std::string::npos) return words;
  for (const auto word : split(option.value, '|')) words.emplace_back(word);
  return words;
}

std::string spelled(const option_node& option) {
  auto text = join(option.names, ", ");
  const bool positional = !option.names.front().starts_with('-');
  if (!option.value.empty() && !positional) text += ' ' + option.value;
  return text;
}

std::string synopsis(const command_node& command) {
  std::string text = command.name;
  if (!command.options.empty()) text += " [OPTIONS]";
  const bool does_something_itself = !command.positionals.empty();
  if (!command.commands.empty() && does_something_itself) text += " [COMMAND]";
  for (const auto& one : command.positionals) {
    const auto name = one.names.front() + (one.repeats ? "..." : "");
    text += one.required ? ' ' + name : " [" + name + ']';
  }
  if (!command.commands.empty() && !does_something_itself) text += " COMMAND";
  return text;
}

}  // namespace ridge::app
