// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace ridge::host {

// A program that is asked one question: no input, its output kept in memory, in a group of its own, which is
// killed at the end if it still runs.
class brief_program final {
 public:
  explicit brief_program(const std::vector<std::string>& argv);
  ~brief_program();
  brief_program(brief_program&& other) noexcept;
  brief_program& operator=(brief_program&&) = delete;
  brief_program(const brief_program&) = delete;

  // Whether it has ended, or was never started. Does not wait.
  [[nodiscard]] bool ended();
  // What it wrote to both streams; nothing while it runs or when it could not be started.
  [[nodiscard]] std::optional<std::string> output();

 private:
  int descriptor_ = -1;
  pid_t child_ = -1;
  bool ended_ = false;
};

}  // namespace ridge::host
