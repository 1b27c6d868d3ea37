// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

namespace ridge::app {

// A test case of a JUnit file: it passed unless it was left out or failed.
struct junit_case {
  std::string name{};
  double seconds = 0;
  std::string failure{};  // why it failed; empty: it did not
  std::string skipped{};  // why nothing is known of it; empty: it is
};

// Returns a JUnit file of one suite. `class_name` ("ridge.ci") groups its cases, `seconds` is the time of
// all.
[[nodiscard]] std::string junit_text(const std::string& suite, const std::string& class_name,
                                     std::span<const junit_case> cases, double seconds);

}  // namespace ridge::app
