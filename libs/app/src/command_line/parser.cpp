// SPDX-License-Identifier: Apache-2.0
#include "command_line/parser.hpp"

#include <type_traits>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <ridge/app/targets.hpp>

namespace ridge::app {
namespace {

CLI::Option* add_value(CLI::App& parser, const command_option& option) {
  return std::visit(
      [&](auto* value) {
        using value_type = std::remove_pointer_t<decltype(value)>;
        if constexpr (std::is_same_v<value_type, bool>) {
          return parser.add_flag(option.names, *value, option.help);
        } else {
          auto* added = parser.add_option(option.names, *value, option.help)->type_name(option.value_name);
          // One value for each time the option is given, so that a target behind it is not swallowed.
          if constexpr (std::is_same_v<value_type, std::vector<std::string>>)
            if (option.names.starts_with('-')) added->expected(1)->take_all();
          return added;
        }
      },
      option.value);
}

void add_option(CLI::App& parser, const command_option& option) {
  auto* added = add_value(parser, option);
  if (option.required) added->required();
  if (option.check) added->check(option.check);
  if (!option.environment.empty()) added->envname(option.environment);
}

void add_to_parser(CLI::App& parser, const command& described) {
  for (const auto& option : described.options()) add_option(parser, option);
  for (const auto& inner : described.commands())
    add_to_parser(*parser.add_subcommand(inner.name(), inner.summary()), inner);
  if (described.must_have_command()) parser.require_subcommand(1);
  if (described.accepts_any_words()) parser.prefix_command();
}

// Returns the command that was being parsed when parsing ended, and how it is called.
parsed_line innermost(const CLI::App& parser, const command& root, line_kind kind) {
  parsed_line line{.kind = kind, .named = &root, .path = root.name()};
  for (auto inner = parser.get_subcommands(); !inner.empty(); inner = inner.back()->get_subcommands()) {
    const auto name = inner.back()->get_name();
    for (const auto& one : line.named->commands()) {
      if (one.name() != name) continue;
      line.named = &one;
      break;
    }
    line.path += ' ' + name;
  }
  return line;
}

std::vector<std::string> option_names(const CLI::App& parser) {
  std::vector<std::string> names;
  for (const auto* option : parser.get_options()) {
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

const CLI::App& innermost_parser(const CLI::App& root) {
  const CLI::App* found = &root;
  for (auto inner = found->get_subcommands(); !inner.empty(); inner = found->get_subcommands())
    found = inner.back();
  return *found;
}

error why_extra(const CLI::App& root, const command& named, const std::string& extra,
                const std::string& help) {
  if (extra.starts_with('-')) {
    auto known = option_names(innermost_parser(root));
    const auto global = option_names(root);
    known.insert(known.end(), global.begin(), global.end());
    return unknown_name("option", extra.substr(0, extra.find('=')), known, help);
  }
  std::vector<std::string> names;
  for (const auto& one : named.commands()) {
    if (!one.is_hidden()) names.push_back(one.name());
  }
  if (names.empty()) return {fmt::format("`{}` takes no argument \"{}\"", named.name(), extra), help};
  return unknown_name("command", extra, names, help);
}

parsed_line wrong_line(const CLI::App& parser, const command& root, const CLI::ParseError& why) {
  auto line = innermost(parser, root, line_kind::wrong);
  const auto help = fmt::format("see `{} --help`", line.path);
  const auto extra = parser.remaining(true);
  line.wrong = dynamic_cast<const CLI::ExtrasError*>(&why) != nullptr && !extra.empty()
                   ? why_extra(parser, *line.named, extra.front(), help)
                   : error{why.what(), help};
  return line;
}

}  // namespace

parsed_line parse(const command& root, const std::vector<std::string>& words) {
  CLI::App parser(root.summary(), root.name());
  parser.fallthrough();
  parser.set_help_flag("-h,--help");
  parser.set_version_flag("--version", "");
  add_to_parser(parser, root);
  try {
    parser.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::CallForHelp&) {
    return innermost(parser, root, line_kind::help);
  } catch (const CLI::CallForVersion&) {
    return innermost(parser, root, line_kind::version);
  } catch (const CLI::ParseError& why) {
    if (auto line = innermost(parser, root, line_kind::action); line.named->accepts_any_words()) return line;
    return wrong_line(parser, root, why);
  }
  return innermost(parser, root, line_kind::action);
}

}  // namespace ridge::app
