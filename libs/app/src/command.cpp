// SPDX-License-Identifier: Apache-2.0
#include "command.hpp"

#include <CLI/CLI.hpp>

#include <ridge/base/text.hpp>

#include "context.hpp"
#include "targets.hpp"

namespace ridge::app {

command command::add(const std::string& name, const std::string& summary) {
  return {*app_->add_subcommand(name, summary), *in_};
}

template <class T>
command& command::typed(const std::string& names, T& value, const std::string& value_name,
                        const std::string& help) {
  last_ = app_->add_option(names, value, help)->type_name(value_name);
  return *this;
}

command& command::option(const std::string& names, std::string& value, const std::string& value_name,
                         const std::string& help) {
  return typed(names, value, value_name, help);
}

command& command::option(const std::string& names, std::vector<std::string>& values,
                         const std::string& value_name, const std::string& help) {
  typed(names, values, value_name, help);
  // One value an option, so that a target behind it is not swallowed.
  if (names.starts_with('-')) last_->expected(1)->take_all();
  return *this;
}

command& command::option(const std::string& names, int& value, const std::string& value_name,
                         const std::string& help) {
  return typed(names, value, value_name, help);
}

command& command::option(const std::string& names, std::uint64_t& value, const std::string& value_name,
                         const std::string& help) {
  return typed(names, value, value_name, help);
}

command& command::option(const std::string& names, std::int64_t& value, const std::string& value_name,
                         const std::string& help) {
  return typed(names, value, value_name, help);
}

command& command::option(const std::string& names, double& value, const std::string& value_name,
                         const std::string& help) {
  return typed(names, value, value_name, help);
}

command& command::option(const std::string& names, std::optional<std::int64_t>& value,
                         const std::string& value_name, const std::string& help) {
  return typed(names, value, value_name, help);
}

command& command::option(const std::string& names, std::optional<double>& value,
                         const std::string& value_name, const std::string& help) {
  return typed(names, value, value_name, help);
}

command& command::choice(const std::string& names, std::string& value, std::vector<std::string> words,
                         const std::string& help) {
  typed(names, value, join(words, "|"), help);
  return checked([words = std::move(words)](const std::string& given) -> std::string {
    for (const auto& word : words) {
      if (word == given) return {};
    }
    return unknown_name("choice", given, words, "one of " + join(words, ", ")).text();
  });
}

command& command::flag(const std::string& names, bool& value, const std::string& help) {
  last_ = app_->add_flag(names, value, help);
  return *this;
}

command& command::required() {
  last_->required();
  return *this;
}

command& command::checked(std::function<std::string(const std::string&)> complaint) {
  last_->check(std::move(complaint));
  return *this;
}

command& command::from_environment(const std::string& variable) {
  last_->envname(variable);
  return *this;
}

command& command::secret() {
  last_->group("");
  return *this;
}

command& command::notes(const std::string& text) {
  app_->footer(text);
  return *this;
}

command& command::hidden() {
  app_->group("");
  return *this;
}

command& command::needs_command() {
  app_->require_subcommand(1);
  return *this;
}

void command::runs(std::function<int()> action) {
  app_->callback([app = app_, in = in_, action = std::move(action)] {
    if (app->get_subcommands().empty()) in->chosen = action;  // else the inner command's holds
  });
}

}  // namespace ridge::app
