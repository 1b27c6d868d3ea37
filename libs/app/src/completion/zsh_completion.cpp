// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <ridge/base/text.hpp>

#include "completion/completion.hpp"
#include "completion/completion_values.hpp"

namespace ridge::app {
namespace {

// Escapes what has a meaning inside a single-quoted specification of _arguments: quotes, brackets and colons.
std::string quoted_for_zsh(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '\'') {
      safe += "'\\''";
    } else {
      if (c == '[' || c == ']' || c == ':' || c == '\\') safe += '\\';
      safe += c;
    }
  }
  return safe;
}

std::string action(const option_node& option, const std::string& program) {
  switch (offer_for(option)) {
    case offer::choices:
      return fmt::format("({})", join(choices_of(option), " "));
    case offer::experiments:
      return fmt::format("_{}_experiments", program);
    case offer::experiments_and_runs:
      return fmt::format("_{}_experiments_and_runs", program);
    case offer::variants:
      return fmt::format("_{}_variants", program);
    case offer::runs:
      return fmt::format("_{}_runs", program);
    case offer::files:
      return "_files";
    case offer::nothing:
      break;
  }
  return " ";
}

std::string option_specs(const command_node& command, const std::string& program) {
  std::string text;
  for (const auto& option : command.options) {
    for (const auto& name : option.names) {
      const bool takes = !option.value.empty();
      const auto equals = takes && name.starts_with("--") ? "=" : "";
      text += fmt::format(" \\\n        '{}{}{}[{}]{}'", option.repeats ? "*" : "", name, equals,
                          quoted_for_zsh(option.help), takes ? ":value:" + action(option, program) : "");
    }
  }
  return text;
}

std::string arguments(const command_node& command, const std::string& program);

// Describes the word that names an inner command, or is an argument of the command itself, and the rest:
// _arguments takes one description of the rest.
std::string inner_commands(const command_node& command, const std::string& program) {
  std::vector<std::string> names;
  for (const auto& one : command.commands) names.push_back(one.name);
  const auto own =
      command.positionals.empty() ? std::string(" ") : action(command.positionals.front(), program);
  const bool calls = own.starts_with('_');
  const auto first = calls ? fmt::format("{{compadd -- {}; {}}}", join(names, " "), own)
                           : fmt::format("({})", join(names, " "));
  auto text = fmt::format(" \\\n        '1:command:{}' '*:: :->inner'", first);
  text += "\n        if [[ $state == inner ]]; then case $words[1] in\n";
  for (const auto& one : command.commands)
    text += fmt::format("          {}) {} ;;\n", one.name, arguments(one, program));
  if (calls) text += fmt::format("          *) {} ;;\n", own);
  return text + "        esac; fi";
}

std::string arguments(const command_node& command, const std::string& program) {
  auto text = (command.commands.empty() ? "_arguments" : "_arguments -C") + option_specs(command, program);
  if (!command.commands.empty()) return text + inner_commands(command, program);
  for (const auto& one : command.positionals) {
    text += fmt::format(" \\\n        '{}:{}:{}'", one.repeats ? "*" : "", one.names.front(),
                        action(one, program));
  }
  return text;
}

}  // namespace

std::string zsh_completion(const command_node& root) {
  std::string described, cases;
  for (const auto& command : root.commands) {
    described += fmt::format("    '{}:{}'\n", command.name, quoted_for_zsh(command.summary));
    cases += fmt::format("      {}) {} ;;\n", command.name, arguments(command, root.name));
  }
  return fmt::format(R"zsh(#compdef {0}
# zsh completion of {0}; written by `{0} completion zsh`.
_{0}_experiments() {{
  local -a ids
  ids=(${{(f)"$({0} list --ids 2>/dev/null)"}})
  compadd -a ids
}}
_{0}_variants() {{
  local -a names ids
  ids=(${{(M)words:#(ch<->|labs).*}})
  names=(${{(f)"$({0} list --variants $ids 2>/dev/null)"}})
  compadd -a names
}}
_{0}_runs() {{
  local -a ids
  ids=(${{(f)"$({0} history --runs 2>/dev/null)"}})
  compadd -a ids
  _files
}}
_{0}_experiments_and_runs() {{
  _{0}_experiments
  _{0}_runs
}}
_{0}() {{
  local curcontext=$curcontext state line
  local -a commands
  commands=(
{1}  )
  _arguments -C{2} \
        '1: :->command' '*:: :->arguments'
  case $state in
    command) _describe command commands ;;
    arguments)
      case $words[1] in
{3}      esac ;;
  esac
}}
if [[ $funcstack[1] == _{0} ]]; then _{0} "$@"; else compdef _{0} {0}; fi
)zsh",
                     root.name, described, option_specs(root, root.name), cases);
}

}  // namespace ridge::app
