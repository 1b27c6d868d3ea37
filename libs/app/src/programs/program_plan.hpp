// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/model/run.hpp>

#include "programs/parameters.hpp"
#include "programs/program_arms.hpp"

namespace ridge::app {

// The options of `ridge bench` that say which programs run and how, as they were typed.
struct program_options {
  std::vector<std::string> lines{};               // each a program with its arguments
  std::vector<std::vector<std::string>> words{};  // programs as words, after `--`
  std::string reference{};                        // goes before the others; empty: none
  std::vector<std::string> names{};               // of the programs; those that are not named get their line
  std::vector<std::string> scan{};                // NAME MIN MAX, of each scan
  std::string step{"1"};
  std::vector<std::string> lists{};  // NAME VALUES, of each list
  std::vector<std::string> setup{}, prepare{}, conclude{}, cleanup{}, output{};
  std::string shell{"none"};
  bool no_shell = false;
};

// What is measured at one point of the parameters: the programs, and the lines before and after all their
// runs.
struct program_problem {
  model::problem_point point{};
  std::vector<program_line> programs{};
  std::vector<std::string> setup{}, cleanup{};
};

// Returns the words that start the shell of --shell with a line to follow; empty for "none".
[[nodiscard]] result<std::vector<std::string>> shell_of(const program_options& options);

// Returns every problem in turn. An error names the option that cannot be understood: a parameter that
// nothing uses or that is given twice, a line that needs a shell, a list of --prepare that is neither one
// line nor one for each program.
[[nodiscard]] result<std::vector<program_problem>> problems_of(const program_options& options);

}  // namespace ridge::app
