// SPDX-License-Identifier: Apache-2.0
#include "command_line/parser.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <type_traits>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <ridge/app/targets.hpp>
#include <ridge/base/text.hpp>

namespace ridge::app {
namespace {

template <class Number>
constexpr bool is_whole_number = std::is_integral_v<Number> && !std::is_same_v<Number, bool>;

// Complains of a text that is no whole number, or none that the type holds.
template <class Number>
std::string whole_number_complaint(const std::string& text) {
  Number number{};
  const auto* const end = text.data() + text.size();
  const auto [stopped, failed] = std::from_chars(text.data(), end, number);
  if (failed == std::errc{} && stopped == end) return {};
  if (text.empty() || text.find_first_not_of("-0123456789") != std::string::npos)
    return fmt::format("expects a whole number, not \"{}\"", text);
  return fmt::format("expects a whole number from {} to {}, not \"{}\"", std::numeric_limits<Number>::min(),
                     std::numeric_limits<Number>::max(), text);
}

template <class Value>
struct number_in {
  using type = Value;
};
template <class Value>
struct number_in<std::optional<Value>> {
  using type = Value;
};

CLI::Option* add_value(CLI::App& parser, const command_option& option) {
  return std::visit(
      [&](auto* value) {
        using value_type = std::remove_pointer_t<decltype(value)>;
        using number_type = typename number_in<value_type>::type;
        if constexpr (std::is_same_v<value_type, bool>) {
          return parser.add_flag(option.names, *value, option.help);
        } else {
          if constexpr (std::is_same_v<value_type, std::string>)
            if (option.value_optional) return parser.add_flag(option.names, *value, option.help);
          auto* added = parser.add_option(option.names, *value, option.help)->type_name(option.value_name);
          // One value for each time the option is given, so that a target behind it is not swallowed.
          if constexpr (std::is_same_v<value_type, std::vector<std::string>>)
            if (option.names.starts_with('-'))
              added->expected(option.values)->take_all()->allow_extra_args(false);
          if constexpr (is_whole_number<number_type>) added->check(whole_number_complaint<number_type>);
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

// Adds the options of a command that encloses the named one, unless that has options of the same names.
void add_options_of_outer(CLI::App& parser, const command& outer) {
  for (const auto& option : outer.options()) {
    const auto names = split(option.names, ',');
    const bool positional = !option.names.starts_with('-');
    const auto taken = [&](std::string_view name) {
      return parser.get_option_no_throw(std::string(name)) != nullptr;
    };
    if (!positional && std::ranges::none_of(names, taken)) add_option(parser, option);
  }
}

// The commands that a line names, from the program to the innermost one, and its other words.
struct named_commands {
  std::vector<const command*> chain{};
  std::vector<std::string> words{};

  [[nodiscard]] const command& innermost() const { return *chain.back(); }
  [[nodiscard]] std::string path() const {
    std::string text;
    for (const auto* one : chain) text += (text.empty() ? "" : " ") + one->name();
    return text;
  }
};

// Returns whether the word is an option of one of the commands whose value is the next word.
bool takes_next_word(const std::vector<const command*>& chain, const std::string& word) {
  return std::ranges::any_of(chain, [&](const command* one) {
    return std::ranges::any_of(one->options(), [&](const command_option& option) {
      return !std::holds_alternative<bool*>(option.value) && !option.value_optional &&
             std::ranges::count(split(option.names, ','), word) > 0;
    });
  });
}

// A command's name counts only before the first positional argument: `history bench` is about an experiment.
named_commands commands_named_by(const command& root, const std::vector<std::string>& words) {
  named_commands found{.chain = {&root}};
  std::size_t next = 0;
  for (; next < words.size() && !found.innermost().accepts_any_words(); ++next) {
    const auto& word = words[next];
    if (word.starts_with('-') && word != "-") {
      found.words.push_back(word);
      if (takes_next_word(found.chain, word) && next + 1 < words.size()) found.words.push_back(words[++next]);
      continue;
    }
    const auto& inner = found.innermost().commands();
    const auto named = std::ranges::find(inner, word, &command::name);
    if (named == inner.end()) break;
    found.chain.push_back(&*named);
  }
  found.words.insert(found.words.end(), words.begin() + static_cast<std::ptrdiff_t>(next), words.end());
  return found;
}

std::vector<std::string> option_names(const CLI::App& parser) {
  std::vector<std::string> names;
  for (const auto* option : parser.get_options()) {
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

error why_extra(const CLI::App& parser, const command& named, const std::string& extra,
                const std::string& help) {
  if (extra.starts_with('-'))
    return unknown_name("option", extra.substr(0, extra.find('=')), option_names(parser), help);
  std::vector<std::string> names;
  for (const auto& one : named.commands()) {
    if (!one.is_hidden()) names.push_back(one.name());
  }
  if (names.empty()) return {fmt::format("`{}` takes no argument \"{}\"", named.name(), extra), help};
  return unknown_name("command", extra, names, help);
}

error why_wrong(const CLI::App& parser, const command& named, const CLI::ParseError& why,
                const std::string& help) {
  const auto extra = parser.remaining(true);
  return dynamic_cast<const CLI::ExtrasError*>(&why) != nullptr && !extra.empty()
             ? why_extra(parser, named, extra.front(), help)
             : error{why.what(), help};
}

}  // namespace

parsed_line parse(const command& root, const std::vector<std::string>& words) {
  const auto named = commands_named_by(root, words);
  const auto& innermost = named.innermost();
  parsed_line line{.named = &innermost, .path = named.path()};
  CLI::App parser(innermost.summary(), line.path);
  parser.set_help_flag("-h,--help");
  parser.set_version_flag("--version", "");
  for (const auto& option : innermost.options()) add_option(parser, option);
  for (auto outer = named.chain.rbegin() + 1; outer != named.chain.rend(); ++outer)
    add_options_of_outer(parser, **outer);
  if (innermost.accepts_any_words()) parser.allow_extras();
  const auto help = fmt::format("see `{} --help`", line.path);
  try {
    parser.parse(std::vector<std::string>(named.words.rbegin(), named.words.rend()));
  } catch (const CLI::CallForHelp&) {
    line.kind = line_kind::help;
  } catch (const CLI::CallForVersion&) {
    line.kind = line_kind::version;
  } catch (const CLI::ParseError& why) {
    if (innermost.accepts_any_words()) return line;
    line.kind = line_kind::wrong;
    line.wrong = why_wrong(parser, innermost, why, help);
  }
  if (line.kind == line_kind::action && innermost.must_have_command()) {
    line.kind = line_kind::wrong;
    line.wrong = error{fmt::format("`{}` needs one of its commands", line.path), help};
  }
  return line;
}

}  // namespace ridge::app
