// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

#include "completion/completion.hpp"

namespace ridge::app {
namespace {

// Returns text for troff, where a leading dot or quote would be a request, a backslash an escape, and a plain
// hyphen a soft one.
std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '\\') {
      safe += "\\e";
    } else if (c == '-') {
      safe += "\\-";
    } else {
      safe += c;
    }
  }
  return safe.starts_with('.') || safe.starts_with('\'') ? "\\&" + safe : safe;
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string option_entries(const std::vector<option_node>& list) {
  std::string text;
  for (const auto& one : list) {
    text += fmt::format(".TP\n\\fB{}\\fR", escaped(join(one.names, ", ")));
    if (!one.value.empty()) text += fmt::format(" \\fI{}\\fR", escaped(one.value));
    text += '\n' + escaped(one.help) + '\n';
  }
  return text;
}

std::string details(const std::string& footer) {
  std::string text;
  for (const auto line : split(footer, '\n')) {
    const bool literal = line.starts_with(' ');
    text += line.empty() ? ".PP\n" : escaped(line) + (literal ? "\n.br\n" : "\n");
  }
  return text.empty() ? text : ".PP\n" + text;
}

std::string command_section(const command_node& command, const std::string& prefix) {
  auto usage = synopsis(command);
  usage.insert(0, prefix + ' ');
  auto text = fmt::format(".SS \"{}\"\n{}.\n", escaped(usage), escaped(command.summary));
  text += option_entries(command.positionals) + option_entries(command.options) + details(command.details);
  for (const auto& inner : command.commands) text += command_section(inner, prefix + ' ' + command.name);
  return text;
}

}  // namespace

std::string manual_page(const command_node& root, std::string_view version) {
  auto text =
      fmt::format(".TH {} 1 \"\" \"{} {}\" \"User Commands\"\n", upper(root.name), root.name, version);
  text += fmt::format(".SH NAME\n{} \\- {}\n", root.name, escaped(root.summary));
  text += fmt::format(".SH SYNOPSIS\n.B {}\n\\fR{}\n", root.name,
                      escaped(synopsis(root).substr(root.name.size() + 1)));
  text += ".SH OPTIONS\n" + option_entries(root.options);
  text += ".SH COMMANDS\n";
  for (const auto& one : root.commands) text += command_section(one, root.name);
  if (!root.details.empty()) text += ".SH NOTES\n" + details(root.details).substr(4);
  return text;
}

}  // namespace ridge::app
