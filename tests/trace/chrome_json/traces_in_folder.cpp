// SPDX-License-Identifier: Apache-2.0
#include "traces_in_folder.hpp"

#include <algorithm>
#include <filesystem>

#include "fixtures/data.hpp"

namespace ridge::trace {

std::vector<std::string> traces_in_folder(const std::string& path_below_data) {
  std::vector<std::string> paths;
  const auto folder = fixtures::data_file(path_below_data);
  if (folder.empty()) return paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const auto path = entry.path().string();
    if (entry.is_regular_file() && (path.ends_with(".json") || path.ends_with(".json.gz")))
      paths.push_back(path);
  }
  std::ranges::sort(paths);
  return paths;
}

}  // namespace ridge::trace
