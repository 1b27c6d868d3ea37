// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/app/progress_line.hpp>
#include <ridge/base/error.hpp>
#include <ridge/base/result.hpp>

namespace ridge::app {

// The user interrupted a step that takes long, such as a build.
class interrupted_step final : public failure {
 public:
  explicit interrupted_step(const std::string& name, caller place = caller::here())
      : failure({"interrupted while " + name, ""}, place) {}
};

// A program that has to be waited for, and what is shown meanwhile.
struct step {
  std::string name{};                  // "building the base": begins the progress line and the error
  std::vector<std::string> command{};  // started without a shell
  std::string folder{};                // where it starts; empty: the working folder
};

// Runs a step to its end, shows on the progress line how long it takes, and returns its output without spaces
// at the ends. An error has the last lines that it printed. Throws interrupted_step within a fifth of a
// second of an interrupt, when its process group is killed; what has left the group is for a process_keeper.
[[nodiscard]] result<std::string> run_step(const step& step, progress_line& line);

}  // namespace ridge::app
