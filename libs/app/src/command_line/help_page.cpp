// SPDX-License-Identifier: Apache-2.0
#include "command_line/help_page.hpp"

#include <ridge/base/text.hpp>
#include <ridge/report/table.hpp>

namespace ridge::app {
namespace {

constexpr std::size_t widest_spelling = 34;

std::string section(const terminal& screen, const std::string& title, const std::string& body) {
  return body.empty() ? "" : '\n' + paint(screen, report::tone::strong, title) + '\n' + body;
}

std::string rows(const terminal& screen, const std::vector<option_node>& options) {
  report::table table({{""}, {""}});
  for (const auto& option : options) {
    const auto text = spelled(option);
    if (display_width(text) <= widest_spelling) {
      table.row({{text}, {option.help}});
    } else {
      table.row({{option.names.front()}, {option.help + ": " + option.value}});
    }
  }
  return table.empty() ? "" : table.text(layout_on(screen, 2));
}

std::string command_rows(const terminal& screen, const std::vector<command_node>& commands) {
  report::table table({{""}, {""}});
  for (const auto& one : commands) table.row({{one.name}, {one.summary}});
  return table.empty() ? "" : table.text(layout_on(screen, 2));
}

std::string paragraphs(const std::string& text, std::size_t columns) {
  std::string all;
  for (const auto line : split(text, '\n')) {
    const bool literal = line.starts_with(' ');
    all += (literal ? std::string(line) : wrap(line, columns)) + '\n';
  }
  return all;
}

}  // namespace

std::string help_page(const command_node& command, const std::string& path, const terminal& screen) {
  auto usage = synopsis(command);
  usage.replace(0, command.name.size(), path);
  std::string page = wrap(command.summary, screen.columns) + '\n';
  page += section(screen, "Usage", "  " + usage + '\n');
  page += section(screen, "Commands", command_rows(screen, command.commands));
  page += section(screen, "Arguments", rows(screen, command.positionals));
  page += section(screen, "Options", rows(screen, command.options));
  if (!command.details.empty()) page += '\n' + paragraphs(command.details, screen.columns);
  return page;
}

}  // namespace ridge::app
