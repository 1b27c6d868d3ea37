// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/gpu_models.hpp>

#include <algorithm>

#include <ridge/base/text.hpp>
#include <ridge/host/text_file.hpp>

namespace ridge::host {

std::vector<std::string> gpu_models(const std::filesystem::path& root) {
  std::vector<std::filesystem::path> folders;
  std::error_code absent;
  for (const auto& entry : std::filesystem::directory_iterator(root / "proc/driver/nvidia/gpus", absent))
    folders.push_back(entry.path());
  std::ranges::sort(folders);
  std::vector<std::string> models;
  for (const auto& folder : folders) {
    const auto text = read_text(folder / "information").value_or("");
    for (const auto line : split(text, '\n')) {
      if (line.starts_with("Model:")) models.emplace_back(trim(line.substr(line.find(':') + 1)));
    }
  }
  return models;
}

}  // namespace ridge::host
