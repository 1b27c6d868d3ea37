// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace ridge::plan {

// A file of measured data that does not ship: below RIDGE_DATA, or below ../shared/data of the source root.
// Empty where it is not there.
inline std::filesystem::path measured_data(const std::string& name) {
  const auto from = [](const char* variable) -> std::filesystem::path {
    const char* value = std::getenv(variable);
    return value == nullptr ? "" : value;
  };
  for (const auto& folder : {from("RIDGE_DATA"), from("RIDGE_SOURCE_DIR") / "../shared/data",
                             from("RIDGE_SOURCE_DIR") / "../../shared/data"}) {
    if (!folder.empty() && std::filesystem::exists(folder / name)) return folder / name;
  }
  return {};
}

}  // namespace ridge::plan
