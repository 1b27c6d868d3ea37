// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <ridge/base/result.hpp>

namespace ridge::profile {

// A program to start: searched in PATH, with our environment and these variables besides.
struct program_start {
  std::vector<std::string> command{};
  std::vector<std::pair<std::string, std::string>> variables{};
};

// A program that is held before its first instruction until someone watches it. Standard streams and process
// group are ours: Ctrl-C reaches it from the terminal.
class child_program {
 public:
  // Throws io_failure where no process can be made.
  explicit child_program(const program_start& what);
  ~child_program();
  child_program(const child_program&) = delete;
  child_program& operator=(const child_program&) = delete;

  [[nodiscard]] pid_t process() const { return process_; }
  // Lets it run; an error where it cannot be executed.
  [[nodiscard]] result<void> release();
  // Its exit code once it ended, 128 and the signal's number where one killed it; waits for that if told to.
  [[nodiscard]] std::optional<int> ended(bool wait = false);

 private:
  pid_t process_ = -1;
  int hold_ = -1, failed_ = -1;  // our ends of two pipes
  std::string name_{};
  std::optional<int> code_{};
};

}  // namespace ridge::profile
