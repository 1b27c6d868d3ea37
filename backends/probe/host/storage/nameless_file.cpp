// SPDX-License-Identifier: Apache-2.0
#include "storage/nameless_file.hpp"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include <ridge/base/error.hpp>
#include <ridge/host/file_cache.hpp>

namespace ridge::backends::probe_host {
namespace {

constexpr std::size_t whole = std::size_t{1} << 20;

std::optional<host::open_file> make(const std::filesystem::path& folder, const storage_ways& ways) {
  if (auto file = ways.open(folder, O_TMPFILE | O_RDWR)) return file;
  const auto name = folder / ("ridge_peak." + std::to_string(getpid()) + ".tmp");
  auto file = ways.open(name, O_RDWR | O_CREAT | O_EXCL);
  const int code = errno;
  if (file) unlink(name.c_str());
  errno = code;
  return file;
}

std::size_t free_bytes(int descriptor) {
  struct statvfs found {};
  if (fstatvfs(descriptor, &found) != 0) return 0;
  return static_cast<std::size_t>(found.f_bavail) * found.f_frsize;
}

}  // namespace

nameless_file::nameless_file(const std::filesystem::path& folder, std::size_t bytes, const storage_ways& ways)
    : plain_(make(folder, ways)) {
  if (!plain_) throw io_failure("make a file in", folder.native(), errno, "choose another --scratch folder");
  make_room(folder, bytes);
  direct_ = ways.open(path(), O_RDWR | O_DIRECT);
}

void nameless_file::make_room(const std::filesystem::path& folder, std::size_t bytes) {
  room_ = std::min(bytes, free_bytes(buffered()) / 4) / whole * whole;
  if (room_ < least_bytes)
    throw unavailable("32 MiB of free space in " + folder.native(), "choose another --scratch folder");
  if (fallocate(buffered(), 0, 0, static_cast<off_t>(room_)) == 0) return;
  if (errno != EOPNOTSUPP && errno != ENOSYS)
    throw io_failure("make room in", folder.native(), errno, "choose another --scratch folder");
}

std::filesystem::path nameless_file::path() const { return "/proc/self/fd/" + std::to_string(buffered()); }

bool nameless_file::forget() const {
  host::drop_from_cache(path());
  return host::resident_fraction(path()) < 0.1;
}

}  // namespace ridge::backends::probe_host
