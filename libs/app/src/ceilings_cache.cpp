// SPDX-License-Identifier: Apache-2.0
#include "ceilings_cache.hpp"

#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include <ridge/host/topology.hpp>
#include <ridge/model/json.hpp>

#include "machine.hpp"
#include "version.hpp"

namespace ridge::app {
namespace {

namespace fs = std::filesystem;
constexpr double oldest_s = 24 * 3600;

fs::path wanted_folder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/')
    return fs::path(cache) / "ridge";
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
    return fs::path(home) / ".cache" / "ridge";
  return {};
}

// One file a machine and version: a home folder may be shared by several.
fs::path cache_file() {
  return ceilings_folder() /
         fmt::format("ceilings-{}-{}.json", machine_name(host::read_topology()), version());
}

}  // namespace

fs::path cache_folder() {
  const auto folder = wanted_folder();
  std::error_code failed;
  if (!folder.empty()) fs::create_directories(folder, failed);
  return folder.empty() || failed ? fs::temp_directory_path() : folder;
}

fs::path ceilings_folder() { return cache_folder(); }

std::optional<model::peak> cached_ceilings() {
  std::ifstream file(cache_file());
  if (!file) return std::nullopt;
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  auto read = model::peak_from_json(text);
  if (!read || read->ceilings.empty()) return std::nullopt;
  const auto at = seconds_of_utc(read->measured_at);
  const double age = at ? static_cast<double>(std::time(nullptr)) - *at : oldest_s;
  return age >= 0 && age < oldest_s ? std::optional(std::move(*read)) : std::nullopt;
}

void cache_ceilings(const model::peak& measured) {
  const auto path = cache_file();
  const fs::path part = path.string() + fmt::format(".{}", getpid());
  std::error_code ignored;
  {
    std::ofstream file(part);
    file << model::peak_json(measured);
    if (!file) return;
  }
  fs::rename(part, path, ignored);
  if (ignored) fs::remove(part, ignored);
}

std::optional<double> seconds_of_utc(std::string_view text) {
  std::tm time{};
  const std::string copy(text);
  const char* end = strptime(copy.c_str(), "%Y-%m-%dT%H:%M:%SZ", &time);
  if (end == nullptr || *end != '\0') return std::nullopt;
  return static_cast<double>(timegm(&time));
}

}  // namespace ridge::app
