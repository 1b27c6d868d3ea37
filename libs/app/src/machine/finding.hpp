// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include <ridge/base/result.hpp>

namespace ridge::app {

// What was found out about one thing. `fine` is false where something is skipped or less exact because of it.
struct finding {
  std::string subject{};
  bool fine = true;
  std::string found{};
};

// Returns a finding that is fine where `seen` has a value; else it says why the thing was not found.
inline finding found_or_not(std::string subject, const result<std::string>& seen) {
  return {std::move(subject), seen.ok(), seen.ok() ? *seen : seen.why().text()};
}

}  // namespace ridge::app
