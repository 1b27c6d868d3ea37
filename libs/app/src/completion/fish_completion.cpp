// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <ridge/base/text.hpp>

#include "completion/completion.hpp"
#include "completion/completion_values.hpp"

namespace ridge::app {
namespace {

std::string quoted(std::string_view text) {
  std::string safe = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') safe += '\\';
    safe += c;
  }
  return safe + '\'';
}

std::string offered(const option_node& option, const std::string& program) {
  switch (offer_for(option)) {
    case offer::choices:
      return " -x -a " + quoted(join(choices_of(option), " "));
    case offer::experiments:
      return fmt::format(" -x -a '({} list --ids 2>/dev/null)'", program);
    case offer::files:
      return " -r -F";
    case offer::nothing:
      break;
  }
  return option.value.empty() ? "" : " -x";
}

std::string option_line(const std::string& start, const option_node& option, const std::string& program) {
  std::string names;
  for (const auto& name : option.names)
    names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  return fmt::format("{}{}{} -d {}\n", start, names, offered(option, program), quoted(option.help));
}

std::string command_lines(const command_node& command, const std::string& program) {
  const auto start = fmt::format("complete -c {} -n '__fish_seen_subcommand_from {}'", program, command.name);
  std::string text;
  for (const auto& one : command.positionals) {
    if (const auto what = offered(one, program); offer_for(one) != offer::nothing)
      text += start + what + '\n';
  }
  for (const auto& one : command.commands)
    text += fmt::format("{} -a {} -d {}\n", start, one.name, quoted(one.summary));
  for (const auto& option : command.options) text += option_line(start, option, program);
  return text;
}

}  // namespace

std::string fish_completion(const command_node& root) {
  auto text = fmt::format("# fish completion of {0}; written by `{0} completion fish`.\ncomplete -c {0} -f\n",
                          root.name);
  for (const auto& command : root.commands) {
    text += fmt::format("complete -c {} -n __fish_use_subcommand -a {} -d {}\n", root.name, command.name,
                        quoted(command.summary));
  }
  for (const auto& option : root.options)
    text += option_line(fmt::format("complete -c {} -n __fish_use_subcommand", root.name), option, root.name);
  for (const auto& command : root.commands) text += command_lines(command, root.name);
  return text;
}

}  // namespace ridge::app
