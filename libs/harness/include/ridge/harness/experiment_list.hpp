// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/harness/experiment.hpp>

namespace ridge::experiments {

// Every experiment of the program, in the order of ids; written by CMake from the folders.
[[nodiscard]] std::vector<experiment> all();

// What the shared object of a chapter exports under the C name `ridge_chapter`. A program opens it only when
// `interface_digest`, which stays the first member in every version, equals its own: both then saw the same
// public headers and flags.
struct chapter_module {
  const char* interface_digest = nullptr;
  std::vector<experiment> (*all)() = nullptr;  // the experiments of the chapter, in the order of ids
};

}  // namespace ridge::experiments
