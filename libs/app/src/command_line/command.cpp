// SPDX-License-Identifier: Apache-2.0
#include <ridge/app/command.hpp>

#include <algorithm>

#include <ridge/app/targets.hpp>
#include <ridge/base/text.hpp>

namespace ridge::app {

command& command::add(std::string name, std::string summary) {
  return commands_.emplace_back(std::move(name), std::move(summary));
}

command& command::add_option(command_option option) {
  options_.push_back(std::move(option));
  return *this;
}

command& command::choice(const std::string& names, std::string& value, std::vector<std::string> words,
                         const std::string& help) {
  option(names, value, join(words, "|"), help);
  return checked([words = std::move(words)](const std::string& given) -> std::string {
    if (std::ranges::count(words, given) > 0) return {};
    return unknown_name("choice", given, words, "one of " + join(words, ", ")).text();
  });
}

command& command::flag(const std::string& names, bool& value, const std::string& help) {
  return option(names, value, "", help);
}

command& command::required() {
  options_.back().required = true;
  return *this;
}

command& command::checked(value_check check) {
  options_.back().check = std::move(check);
  return *this;
}

command& command::from_environment(const std::string& variable) {
  options_.back().environment = variable;
  return *this;
}

command& command::secret() {
  options_.back().hidden = true;
  return *this;
}

command& command::takes(int words) {
  options_.back().values = words;
  return *this;
}

command& command::with_optional_value() {
  options_.back().value_optional = true;
  return *this;
}

command& command::notes(std::string text) {
  notes_ = std::move(text);
  return *this;
}

command& command::hidden() {
  hidden_ = true;
  return *this;
}

command& command::needs_command() {
  needs_command_ = true;
  return *this;
}

command& command::takes_any_words() {
  any_words_ = true;
  return *this;
}

}  // namespace ridge::app
