// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/harness/experiment.hpp>

namespace ridge::experiments {

// Every experiment of the program, in the order of ids; written by CMake from the folders.
[[nodiscard]] std::vector<experiment> all();

}  // namespace ridge::experiments
