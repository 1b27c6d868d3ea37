// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

#include "completion/completion.hpp"
#include "completion/completion_values.hpp"

namespace ridge::app {
namespace {

std::string reply(const std::string& compgen) {
  return fmt::format("COMPREPLY=($(compgen {} -- \"$cur\"))", compgen);
}

std::string offered_by_bash(const option_node& option) {
  switch (offer_for(option)) {
    case offer::choices:
      return reply(fmt::format("-W \"{}\"", join(choices_of(option), " ")));
    case offer::experiments:
      return reply("-W \"$(\"${COMP_WORDS[0]}\" list --ids 2>/dev/null)\"");
    case offer::experiments_and_runs:
      return reply(
          "-f -W \"$(\"${COMP_WORDS[0]}\" list --ids 2>/dev/null; "
          "\"${COMP_WORDS[0]}\" history --runs 2>/dev/null)\"");
    case offer::variants:
      return reply("-W \"$(\"${COMP_WORDS[0]}\" list --variants $ids 2>/dev/null)\"");
    case offer::runs:
      return reply("-f -W \"$(\"${COMP_WORDS[0]}\" history --runs 2>/dev/null)\"");
    case offer::files:
      return reply("-f");
    case offer::nothing:
      break;
  }
  return "COMPREPLY=()";
}

std::string value_cases(const command_node& command, const std::string& name) {
  std::string text;
  for (const auto& option : command.options) {
    if (option.value.empty()) continue;
    auto patterns = option.names;
    for (auto& one : patterns) one = '\'' + name + ':' + one + '\'';
    text += fmt::format("    {}) {}; return ;;\n", join(patterns, "|"), offered_by_bash(option));
  }
  return text;
}

std::string word_case(const command_node& command, const std::string& name) {
  std::string options;
  for (const auto& option : command.options) options += join(option.names, " ") + ' ';
  std::string rest = "COMPREPLY=()";
  if (!command.positionals.empty()) rest = offered_by_bash(command.positionals.front());
  if (!command.commands.empty()) {
    std::vector<std::string> names;
    for (const auto& one : command.commands) names.push_back(one.name);
    rest = reply(fmt::format("-W \"{}\"", join(names, " ")));
  }
  return fmt::format("    {}) if [[ $cur == -* ]]; then {}; else {}; fi ;;\n", name,
                     reply(fmt::format("-W \"{}\"", trim(options))), rest);
}

}  // namespace

std::string bash_completion(const command_node& root) {
  std::vector<std::string> names, paths;
  std::string values = value_cases(root, "");
  std::string words = word_case(root, "''");
  for (const auto& command : root.commands) {
    names.push_back(command.name);
    values += value_cases(command, command.name);
    words += word_case(command, command.name);
    for (const auto& inner : command.commands) {
      const auto path = command.name + ' ' + inner.name;
      paths.push_back('\'' + path + '\'');
      values += value_cases(inner, path);
      words += word_case(inner, '\'' + path + '\'');
    }
  }
  if (paths.empty()) paths.emplace_back("''");
  return fmt::format(R"(# bash completion of {0}; written by `{0} completion bash`.
_{0}() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD - 1]}} command= ids= word i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${{COMP_WORDS[i]}}
    if [[ -z $command ]]; then
      case $word in {1}) command=$word ;; esac
    else
      case "$command $word" in {4}) command="$command $word" ;; esac
    fi
    if [[ $word == ch[0-9]*.* || $word == labs.* ]]; then ids+=" $word"; fi
  done
  case $command:$prev in
{2}  esac
  case $command in
{3}  esac
}}
complete -o bashdefault -o default -F _{0} {0}
)",
                     root.name, join(names, "|"), values, words, join(paths, "|"));
}

}  // namespace ridge::app
