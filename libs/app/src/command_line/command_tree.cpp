// SPDX-License-Identifier: Apache-2.0
#include "command_line/command_tree.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

namespace ridge::app {
namespace {

// Orders names as help pages show them, long ones first: "-f,--format" becomes --format, -f.
std::vector<std::string> long_names_first(std::string_view names) {
  std::vector<std::string> ordered;
  for (const auto name : split(names, ',')) ordered.emplace_back(name);
  std::ranges::stable_partition(ordered, [](const std::string& name) { return name.starts_with("--"); });
  return ordered;
}

option_node node_of(const command_option& option) {
  const bool collects = std::holds_alternative<std::vector<std::string>*>(option.value);
  return {.names = long_names_first(option.names),
          .value = option.value_name,
          .help = option.help,
          .required = option.required,
          .repeats = collects && !option.names.starts_with('-')};
}

}  // namespace

command_node tree_of(const command& described) {
  command_node made{.name = described.name(), .summary = described.summary(), .details = described.notes()};
  made.options.push_back({.names = {"--help", "-h"}, .help = "Print this help"});
  for (const auto& option : described.options()) {
    if (option.hidden) continue;
    (option.names.starts_with('-') ? made.options : made.positionals).push_back(node_of(option));
  }
  for (const auto& inner : described.commands()) {
    if (!inner.is_hidden()) made.commands.push_back(tree_of(inner));
  }
  return made;
}

command_node tree_of_program(const command& root) {
  auto made = tree_of(root);
  made.options.insert(made.options.begin() + 1, {.names = {"--version"}, .help = "Print the version"});
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
