// SPDX-License-Identifier: Apache-2.0
#include "cache/trace_cache.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cache/cache_checksum.hpp"

namespace ridge::trace {
namespace fs = std::filesystem;
namespace {

constexpr auto suffix = ".rtc";

struct kept_file {
  fs::path path{};
  fs::file_time_type used{};
  std::uint64_t bytes = 0;
};

std::vector<kept_file> files_in(const fs::path& folder) {
  std::error_code code;
  std::vector<kept_file> all;
  for (fs::directory_iterator at(folder, code), end; !code && at != end; at.increment(code)) {
    std::error_code gone;
    const kept_file one{at->path(), at->last_write_time(gone), at->file_size(gone)};
    if (!gone) all.push_back(one);
  }
  return all;
}

// Returns whether a process left the file unfinished when it ended.
bool is_abandoned(const kept_file& f) {
  constexpr std::chrono::hours grace{1};
  return f.path.extension() != suffix && f.path.filename().string().starts_with("new.") &&
         fs::file_time_type::clock::now() - f.used > grace;
}

}  // namespace

trace_cache::trace_cache(fs::path folder, std::string_view version, std::uint64_t most_bytes)
    : folder_(std::move(folder)), version_(version), most_bytes_(most_bytes) {}

std::optional<cache_key> trace_cache::key_of(const input_member& member) const {
  struct ::stat facts {};
  std::error_code code;
  const auto path = fs::canonical(member.path, code);
  if (folder_.empty() || code || ::stat(path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode))
    return std::nullopt;
  const auto text = fmt::format("{}\n{}\n{}\n{}.{:09}\n{}", path.string(), member.member, facts.st_size,
                                facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec, version_);
  const auto sum = wide_checksum_of(text);
  return cache_key{sum.low, sum.high};
}

std::string trace_cache::path_of(const cache_key& key) const {
  return (folder_ / fmt::format("{:016x}{:016x}{}", key.high, key.low, suffix)).string();
}

std::optional<trace> trace_cache::find(const input_member& member) const {
  const auto key = key_of(member);
  if (!key) return std::nullopt;
  auto t = read_cached(path_of(*key), *key);
  if (!t) return std::nullopt;
  ::utimensat(AT_FDCWD, path_of(*key).c_str(), nullptr, 0);
  t->source.path = member.path;
  return t;
}

void trace_cache::keep(const input_member& member, const trace& t) const {
  const auto key = key_of(member);
  std::error_code code;
  if (!key || (fs::create_directories(folder_, code), code)) return;
  auto fresh = (folder_ / "new.XXXXXX").string();
  const int file = ::mkstemp(fresh.data());
  if (file < 0) return;
  const bool written = write_cached(file, *key, t);
  if (::close(file) != 0 || !written || ::rename(fresh.c_str(), path_of(*key).c_str()) != 0) {
    ::unlink(fresh.c_str());
    return;
  }
  make_room();
}

void trace_cache::make_room() const {
  auto files = files_in(folder_);
  std::ranges::sort(files, std::greater{}, &kept_file::used);
  std::uint64_t bytes = 0;
  for (const auto& f : files) {
    const bool ours = f.path.extension() == suffix;
    if (ours) bytes += f.bytes;
    if ((ours && bytes > most_bytes_) || is_abandoned(f)) ::unlink(f.path.c_str());
  }
}

fs::path usual_cache_folder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/')
    return fs::path(cache) / "ridge" / "traces";
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
    return fs::path(home) / ".cache" / "ridge" / "traces";
  return {};
}

}  // namespace ridge::trace
