// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <ridge/base/text.hpp>

#include "completion/completion.hpp"
#include "completion/completion_values.hpp"

namespace ridge::app {
namespace {

std::string quoted_for_fish(std::string_view text) {
  std::string safe = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') safe += '\\';
    safe += c;
  }
  return safe + '\'';
}

std::string offered_by_fish(const option_node& option, const std::string& program) {
  switch (offer_for(option)) {
    case offer::choices:
      return " -x -a " + quoted_for_fish(join(choices_of(option), " "));
    case offer::experiments:
      return fmt::format(" -x -a '({} list --ids 2>/dev/null)'", program);
    case offer::experiments_and_runs:
      return fmt::format(" -r -F -a '({0} list --ids 2>/dev/null; {0} history --runs 2>/dev/null)'", program);
    case offer::variants:
      return fmt::format(
          " -x -a '({} list --variants (string match -r \"^(?:ch[0-9]+|labs)[.].*\" -- "
          "(commandline -opc)) 2>/dev/null)'",
          program);
    case offer::runs:
      return fmt::format(" -r -F -a '({} history --runs 2>/dev/null)'", program);
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
  return fmt::format("{}{}{} -d {}\n", start, names, offered_by_fish(option, program),
                     quoted_for_fish(option.help));
}

std::string command_lines(const command_node& command, const std::string& program,
                          const std::string& condition) {
  const auto start = fmt::format("complete -c {} -n '{}'", program, condition);
  std::string text;
  for (const auto& one : command.positionals) {
    if (const auto what = offered_by_fish(one, program); offer_for(one) != offer::nothing)
      text += start + what + '\n';
  }
  for (const auto& one : command.commands)
    text += fmt::format("{} -a {} -d {}\n", start, one.name, quoted_for_fish(one.summary));
  for (const auto& option : command.options) text += option_line(start, option, program);
  for (const auto& one : command.commands)
    text += command_lines(one, program, condition + "; and __fish_seen_subcommand_from " + one.name);
  return text;
}

}  // namespace

std::string fish_completion(const command_node& root) {
  auto text = fmt::format("# fish completion of {0}; written by `{0} completion fish`.\ncomplete -c {0} -f\n",
                          root.name);
  for (const auto& command : root.commands) {
    text += fmt::format("complete -c {} -n __fish_use_subcommand -a {} -d {}\n", root.name, command.name,
                        quoted_for_fish(command.summary));
  }
  for (const auto& option : root.options)
    text += option_line(fmt::format("complete -c {} -n __fish_use_subcommand", root.name), option, root.name);
  for (const auto& command : root.commands)
    text += command_lines(command, root.name, "__fish_seen_subcommand_from " + command.name);
  return text;
}

}  // namespace ridge::app
