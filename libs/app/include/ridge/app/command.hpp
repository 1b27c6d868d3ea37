// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ridge::app {

// Where the parser writes an option's value. A bool makes the option a flag; the strings of a vector are
// collected from every time that the option is given; an optional stays empty when the option is not given.
using option_value =
    std::variant<bool*, std::string*, std::vector<std::string>*, int*, std::uint64_t*, std::int64_t*, double*,
                 std::optional<std::int64_t>*, std::optional<double>*>;

// Checks the text given for a value: returns a complaint, or an empty text when it is right.
using value_check = std::function<std::string(const std::string&)>;

// An option ("--seed", "-f,--format") or, without a leading dash, a positional argument ("TARGETS").
struct command_option {
  std::string names{};
  option_value value{};
  std::string value_name{};  // in capitals; or the words of a choice: "auto|always|never"
  std::string help{};
  value_check check{};
  std::string environment{};  // variable that gives the value when the command line does not
  bool required = false;
  bool hidden = false;
  int values = 1;               // words that it takes each time; above 1 only for vectors
  bool value_optional = false;  // a string that is "true" where the option stands without "=VALUE"
};

// One command as a value: its options, its own commands, and its action. Builders return the command they
// were called on, so that calls chain. Option values are written through the pointers that were passed, which
// must outlive the parser; usually the action owns them. The name of a value tells completions what to offer:
// TARGET, ID (experiments), VARIANT, RUN (stored runs and
// files), "ID|RUN" (either), FILE, DIR, PATH (files); choices tell it themselves.
class command {
 public:
  // Makes a command without options; its summary is one line of the help page.
  command(std::string name, std::string summary) : name_(std::move(name)), summary_(std::move(summary)) {}

  // Adds a command below this one and returns it. The reference stays valid while this command lives.
  command& add(std::string name, std::string summary);

  // Adds an option or a positional argument that takes a value of one of the types of option_value.
  template <class Value>
    requires std::constructible_from<option_value, Value*>
  command& option(const std::string& names, Value& value, const std::string& value_name,
                  const std::string& help) {
    return add_option({.names = names, .value = &value, .value_name = value_name, .help = help});
  }
  // Adds an option that takes one of a few words; any other word is refused with the nearest one.
  command& choice(const std::string& names, std::string& value, std::vector<std::string> words,
                  const std::string& help);
  // Adds an option without a value.
  command& flag(const std::string& names, bool& value, const std::string& help);

  // These change the option that was added last: it must be given; its text is checked; a variable of the
  // environment gives its value when the command line does not; help, manual and completions do not show it.
  command& required();
  command& checked(value_check check);
  command& from_environment(const std::string& variable);
  command& secret();
  // Also change the option that was added last: it takes so many words each time, which are all appended to
  // its vector; its value may be left out, and is given only as --name=VALUE.
  command& takes(int words);
  command& with_optional_value();

  // Sets the text that help and manual show below the options.
  command& notes(std::string text);
  // Leaves this command out of help, manual and completions.
  command& hidden();
  // Requires that one of its own commands follows.
  command& needs_command();
  // Accepts and ignores all words that follow.
  command& takes_any_words();

  // Sets what happens when the command line names this command: `action` returns the exit code.
  void runs(std::function<int()> action) { action_ = std::move(action); }

  // Return what was set; `commands` stand in the order in which they were added.
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& summary() const { return summary_; }
  [[nodiscard]] const std::string& notes() const { return notes_; }
  [[nodiscard]] const std::vector<command_option>& options() const { return options_; }
  [[nodiscard]] std::vector<command_option>& options() { return options_; }
  [[nodiscard]] const std::list<command>& commands() const { return commands_; }
  [[nodiscard]] std::list<command>& commands() { return commands_; }
  [[nodiscard]] const std::function<int()>& action() const { return action_; }
  // Return whether hidden(), needs_command() and takes_any_words() were called.
  [[nodiscard]] bool is_hidden() const { return hidden_; }
  [[nodiscard]] bool must_have_command() const { return needs_command_; }
  [[nodiscard]] bool accepts_any_words() const { return any_words_; }

 private:
  command& add_option(command_option option);

  std::string name_;
  std::string summary_;
  std::string notes_{};
  std::vector<command_option> options_{};
  std::list<command> commands_{};
  std::function<int()> action_{};
  bool hidden_ = false;
  bool needs_command_ = false;
  bool any_words_ = false;
};

}  // namespace ridge::app
