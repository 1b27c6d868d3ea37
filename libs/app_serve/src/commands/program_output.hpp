// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>

// This program (the file that the process was started from) as a process of its own: with fixed words,
// without a shell.
namespace ridge::app_serve {

// A process and the end of the pipe that it writes stdout and stderr to.
struct piped_process {
  int process = 0;
  int output = -1;
};

// Starts the program with these words; whoever calls it closes the pipe and waits for the process.
[[nodiscard]] result<piped_process> program_with_pipe(const std::vector<std::string>& words);

// Passes on each line of a pipe without its end, until the pipe ends, and closes it. Lines are cut at 64 KiB.
void lines_of(int pipe, const std::function<void(std::string_view line)>& take);

// Runs the program and returns what it wrote to stdout. An error when it cannot be started, ends with another
// exit code than 0, takes longer than `time`, or writes more than 64 MiB.
[[nodiscard]] result<std::string> output_of_program(
    const std::vector<std::string>& words, std::chrono::milliseconds time = std::chrono::seconds(60));

}  // namespace ridge::app_serve
