// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <ridge/base/result.hpp>

namespace ridge::app_serve {

// Runs this program (the file that the process was started from) with these words, without a shell, and returns
// what it wrote to stdout. An error when it cannot be started, ends with another exit code than 0, takes longer
// than `time`, or writes more than 64 MiB.
[[nodiscard]] result<std::string> output_of_program(const std::vector<std::string>& words,
                                                    std::chrono::milliseconds time = std::chrono::seconds(60));

}  // namespace ridge::app_serve
