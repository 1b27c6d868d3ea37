// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace ridge::app {

struct context;

// One command of the parser while it is being described. Values must outlive the parser. A value's name tells
// completions what to offer: TARGET, ID (experiments), FILE, DIR, PATH (files); choices tell it themselves.
class command {
 public:
  command(CLI::App& of, context& in) : app_(&of), in_(&in) {}

  [[nodiscard]] command add(const std::string& name, const std::string& summary);

  command& option(const std::string& names, std::string& value, const std::string& value_name,
                  const std::string& help);
  command& option(const std::string& names, std::vector<std::string>& values, const std::string& value_name,
                  const std::string& help);
  command& option(const std::string& names, int& value, const std::string& value_name,
                  const std::string& help);
  command& option(const std::string& names, std::uint64_t& value, const std::string& value_name,
                  const std::string& help);
  command& option(const std::string& names, std::int64_t& value, const std::string& value_name,
                  const std::string& help);
  command& option(const std::string& names, double& value, const std::string& value_name,
                  const std::string& help);
  // Told from "not given".
  command& option(const std::string& names, std::optional<std::int64_t>& value, const std::string& value_name,
                  const std::string& help);
  command& option(const std::string& names, std::optional<double>& value, const std::string& value_name,
                  const std::string& help);
  // One of a few words; another word is refused with the nearest one.
  command& choice(const std::string& names, std::string& value, std::vector<std::string> words,
                  const std::string& help);
  command& flag(const std::string& names, bool& value, const std::string& help);

  // Of the option added last. `complaint` says what is wrong with a value, or nothing.
  command& required();
  command& checked(std::function<std::string(const std::string&)> complaint);
  command& from_environment(const std::string& variable);

  command& secret();  // in no help, manual or completion

  command& notes(const std::string& text);  // below the options in help and manual
  command& hidden();
  command& needs_command();

  // What happens when the command line names this command; returns the exit code.
  void runs(std::function<int()> action);

  [[nodiscard]] CLI::App& parser() { return *app_; }

 private:
  template <class T>
  command& typed(const std::string& names, T& value, const std::string& value_name, const std::string& help);
  CLI::App* app_;
  context* in_;
  CLI::Option* last_ = nullptr;
};

}  // namespace ridge::app
