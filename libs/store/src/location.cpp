// SPDX-License-Identifier: Apache-2.0
#include <ridge/store/location.hpp>

#include <cstdlib>
#include <string_view>

namespace ridge::store {
namespace {
std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}
}  // namespace

std::string default_location() {
  if (const auto data = variable("XDG_DATA_HOME"); data.starts_with('/')) {
    return std::string(data) + "/ridge/ridge.db";
  }
  if (const auto home = variable("HOME"); !home.empty()) {
    return std::string(home) + "/.local/share/ridge/ridge.db";
  }
  return {};
}

}  // namespace ridge::store
