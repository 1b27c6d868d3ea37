// SPDX-License-Identifier: Apache-2.0
#include <ridge/app/cache_folder.hpp>

#include <cstdlib>

#include <ridge/base/temporary_folder.hpp>

namespace ridge::app {
namespace {

namespace fs = std::filesystem;

fs::path wanted_folder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/')
    return fs::path(cache) / "ridge";
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
    return fs::path(home) / ".cache" / "ridge";
  return {};
}

}  // namespace

fs::path cache_folder() {
  const auto folder = wanted_folder();
  std::error_code failed;
  if (!folder.empty()) fs::create_directories(folder, failed);
  return folder.empty() || failed ? temporary_folder() : folder;
}

}  // namespace ridge::app
