// SPDX-License-Identifier: Apache-2.0
#include <ridge/base/temporary_folder.hpp>
#include <ridge/profile/gpu_collector.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>

#include <ridge/base/error.hpp>

namespace ridge::profile {

namespace fs = std::filesystem;

std::optional<fs::path> find_gpu_collector(const fs::path& program_folder) {
  constexpr auto file = "libridge_profile_cupti.so";
  const auto above = program_folder.parent_path();
  for (const auto& folder :
       {program_folder, above / "lib", above / "lib" / "ridge", above / "lib64" / "ridge"}) {
    std::error_code ignored;
    if (fs::is_regular_file(folder / file, ignored)) return folder / file;
  }
  return std::nullopt;
}

std::vector<std::pair<std::string, std::string>> collector_variables(const fs::path& library,
                                                                     const fs::path& events_folder) {
  return {{"CUDA_INJECTION64_PATH", library.string()},
          {"NVTX_INJECTION64_PATH", library.string()},
          {events_folder_variable, events_folder.string()}};
}

events_folder::events_folder() : folder_("ridge-profile") {}

std::vector<std::string> events_folder::named(const std::string& beginning) const {
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator(path())) {
    if (entry.path().filename().string().starts_with(beginning)) found.push_back(entry.path().string());
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace ridge::profile
