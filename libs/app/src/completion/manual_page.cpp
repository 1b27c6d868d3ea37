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
    const bool positional = !one.names.front().starts_with('-');
    if (one.names.front() == "--help") continue;
    text += fmt::format(".TP\n\\fB{}\\fR", escaped(join(one.names, ", ")));
    if (!one.value.empty() && !positional) text += fmt::format(" \\fI{}\\fR", escaped(one.value));
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

std::string heading(const std::string& title, std::string_view version) {
  return fmt::format(".TH {} 1 \"\" \"ridge {}\" \"User Commands\"\n", upper(title), version);
}

std::string section(const std::string& title, const std::string& body) {
  return body.empty() ? body : ".SH " + title + '\n' + body;
}

// Describes a command below another one, with its own commands: `ridge plan kv-cache`.
std::string inner_section(const command_node& command, const std::string& prefix) {
  auto text = fmt::format(".SS \"{} {}\"\n{}.\n", escaped(prefix), escaped(synopsis(command)),
                          escaped(command.summary));
  text += option_entries(command.positionals) + option_entries(command.options) + details(command.details);
  for (const auto& inner : command.commands) text += inner_section(inner, prefix + ' ' + command.name);
  return text;
}

manual_file page_of(const command_node& command, const std::string& program, std::string_view version) {
  const auto title = program + '-' + command.name;
  auto text = heading(title, version);
  text += section("NAME", fmt::format("{} \\- {}\n", escaped(title), escaped(command.summary)));
  text += section("SYNOPSIS", fmt::format(".B {} {}\n", program, escaped(synopsis(command))));
  text += section("ARGUMENTS", option_entries(command.positionals));
  text += section("OPTIONS", option_entries(command.options));
  std::string inner;
  for (const auto& one : command.commands) inner += inner_section(one, program + ' ' + command.name);
  text += section("COMMANDS", inner) + section("DESCRIPTION", details(command.details));
  text += section("SEE ALSO", fmt::format("{}(1), which lists the exit codes.\n", program));
  return {title + ".1", text};
}

std::string command_entries(const command_node& root) {
  std::string text;
  for (const auto& one : root.commands)
    text += fmt::format(".TP\n\\fB{}\\-{}\\fR(1)\n{}\n", root.name, escaped(one.name), escaped(one.summary));
  return text;
}

}  // namespace

std::vector<manual_file> manual_pages(const command_node& root, std::string_view version) {
  auto text = heading(root.name, version);
  text += section("NAME", fmt::format("{} \\- {}\n", root.name, escaped(root.summary)));
  text += section("SYNOPSIS", fmt::format(".B {}\n\\fR{}\n", root.name,
                                          escaped(synopsis(root).substr(root.name.size() + 1))));
  text += section("OPTIONS", option_entries(root.options));
  text += section("COMMANDS", command_entries(root)) + section("NOTES", details(root.details));
  std::vector<manual_file> pages{{root.name + ".1", text}};
  for (const auto& one : root.commands) pages.push_back(page_of(one, root.name, version));
  return pages;
}

}  // namespace ridge::app
