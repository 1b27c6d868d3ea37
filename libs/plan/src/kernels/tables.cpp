// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/kernels/tables.hpp>

#include <cstdlib>

namespace ridge::plan::kernels {

std::optional<std::filesystem::path> tables_folder(const std::string& option) {
  if (!option.empty()) return option;
  const char* data = std::getenv("RIDGE_DATA");
  if (data == nullptr || *data == '\0') return std::nullopt;
  return std::filesystem::path(data) / "serving" / "kernels";
}

}  // namespace ridge::plan::kernels
