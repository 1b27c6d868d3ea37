// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

#include <ridge/harness/instruments.hpp>
#include <ridge/harness/plan.hpp>

namespace ridge::app {

// Returns which of the libraries that variants of these families need are missing here. They are opened in a
// child process, for a library that is opened may start threads, which this process must not have when it
// measures. Nothing where no child can be made.
[[nodiscard]] std::set<std::string> missing_libraries(const std::vector<harness::planned_family>& families,
                                                      const harness::instruments& instruments);

}  // namespace ridge::app
