// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>

namespace ridge::tui {

// What a program writes to a terminal, as lines: a line that is begun again (\r) replaces itself, and escape
// sequences are left out.
class output_lines final {
 public:
  // Adds what was read; keeps the newest lines.
  void add(std::string_view bytes);
  // Returns the complete lines, the oldest first.
  [[nodiscard]] const std::deque<std::string>& lines() const { return lines_; }
  // Returns the line that is being written: the progress of a run.
  [[nodiscard]] const std::string& last() const { return open_; }

 private:
  enum class state { text, escape, sequence };
  std::deque<std::string> lines_{};
  std::string open_{};
  bool begun_again_ = false;
  state state_ = state::text;
};

// A run that was started from here: a child process behind a pseudo-terminal, so that it tells its progress
// as it tells a person. No shell is involved.
class started_run final {
 public:
  started_run() = default;
  started_run(const started_run&) = delete;
  started_run& operator=(const started_run&) = delete;
  // Ends the child as Ctrl-C does, and waits for it: what it finished is stored.
  ~started_run();

  // Starts a program with its words, which people are shown as `command`; an error says why it cannot.
  [[nodiscard]] result<void> start(const std::vector<std::string>& words, std::string command);
  // Asks the child to end, as Ctrl-C does.
  void stop();
  // Reads what the child wrote meanwhile; returns whether there was anything new.
  bool read();
  // Returns whether the child runs.
  [[nodiscard]] bool running() const { return child_ > 0; }
  // Returns the exit code of the last child: 128 and its number where a signal ended it.
  [[nodiscard]] std::optional<int> exit_code() const { return exit_code_; }
  // Returns what people are shown of it; empty: none was started.
  [[nodiscard]] const std::string& command() const { return command_; }
  [[nodiscard]] const output_lines& output() const { return output_; }
  // Returns the descriptor that becomes readable when the child writes; -1: no child.
  [[nodiscard]] int descriptor() const { return master_; }

 private:
  void collect(bool wait);

  pid_t child_ = -1;
  int master_ = -1;
  std::optional<int> exit_code_{};
  std::string command_{};
  output_lines output_{};
};

}  // namespace ridge::tui
