// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace ridge::plan {

// A file or folder of measured data, or the gzip-compressed form `name.gz` of a file: from tests/data of the
// sources, which holds all that the tests need, else below RIDGE_DATA, else below ../shared/data beside the
// sources. Empty when it is in none of them.
inline std::filesystem::path measured_data(const std::string& name) {
  const auto folder_in = [](const char* variable) -> std::filesystem::path {
    const char* value = std::getenv(variable);
    return value == nullptr ? "" : value;
  };
  const auto sources = folder_in("RIDGE_SOURCE_DIR");
  for (const auto& folder : {sources / "tests/data", folder_in("RIDGE_DATA"), sources / "../shared/data"}) {
    for (const auto& path : {folder / name, folder / (name + ".gz")}) {
      if (std::filesystem::exists(path)) return path;
    }
  }
  return {};
}

}  // namespace ridge::plan
