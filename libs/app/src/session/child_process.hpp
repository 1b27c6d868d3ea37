// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ridge::app {

enum class keep_output : bool { no, yes };

// What one run of a program gave. Wall time from before the start to the program's end being noticed.
struct finished_program {
  int code = 0;  // exit status; 128 + the signal's number when killed
  double wall_s = 0;
  double cpu_s = 0;       // user and system, its own children included
  double peak_bytes = 0;  // resident; not below our own size before the start, which the kernel counts in
  std::string output{};   // stdout, when kept
  std::string errors{};   // stderr, when kept
};

// Starts argv[0] (searched in PATH) with stdin at /dev/null and waits for it. Throws unavailable when it
// cannot be started.
[[nodiscard]] finished_program run_program(const std::vector<std::string>& argv, keep_output keep);

// The same through `sh -c`.
[[nodiscard]] finished_program run_shell(const std::string& line, keep_output keep);

}  // namespace ridge::app
