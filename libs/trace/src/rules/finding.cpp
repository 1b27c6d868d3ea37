// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/finding.hpp>

#include <array>

namespace ridge::trace {

std::string_view name(confidence_grade g) {
  constexpr std::array<std::string_view, 3> names{"A", "B", "C"};
  return names.at(static_cast<std::size_t>(g));
}

}  // namespace ridge::trace
