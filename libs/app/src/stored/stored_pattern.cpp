// SPDX-License-Identifier: Apache-2.0
#include <ridge/app/stored_pattern.hpp>

#include <ridge/app/targets.hpp>

namespace ridge::app {

std::string stored_pattern(const std::string& typed, const std::vector<std::string>& known) {
  const auto wanted = normal_target(typed);
  if (known.size() == 1 && wanted.find_first_of("*?") == std::string::npos) return known.front();
  return wanted.find_first_of(".*?") == std::string::npos ? wanted + ".*" : wanted;
}

}  // namespace ridge::app
