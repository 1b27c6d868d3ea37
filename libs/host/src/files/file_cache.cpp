// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/file_cache.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include <ridge/base/error.hpp>
#include <ridge/host/open_file.hpp>
#include <ridge/host/pages.hpp>

namespace ridge::host {
namespace {

std::size_t size_of(const open_file& file, const std::filesystem::path& path) {
  struct stat status {};
  if (fstat(file.descriptor(), &status) != 0) throw io_failure("inspect", path.native(), errno);
  return static_cast<std::size_t>(status.st_size);
}

}  // namespace

void drop_from_cache(const std::filesystem::path& path) {
  const open_file file(path, O_RDONLY);
  if (fdatasync(file.descriptor()) != 0) throw io_failure("flush", path.native(), errno);
  const int code = posix_fadvise(file.descriptor(), 0, 0, POSIX_FADV_DONTNEED);
  if (code != 0) throw io_failure("drop from the page cache", path.native(), code);
}

double resident_fraction(const std::filesystem::path& path) {
  const open_file file(path, O_RDONLY);
  const auto bytes = size_of(file, path);
  if (bytes == 0) return 0;
  void* at = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file.descriptor(), 0);
  if (at == MAP_FAILED) throw io_failure("map", path.native(), errno);
  std::vector<unsigned char> pages((bytes + page_bytes() - 1) / page_bytes());
  const int failed = mincore(at, bytes, pages.data()) != 0 ? errno : 0;
  munmap(at, bytes);
  if (failed != 0) throw io_failure("inspect the cached pages of", path.native(), failed);
  const auto resident = std::ranges::count_if(pages, [](unsigned char p) { return (p & 1u) != 0; });
  return static_cast<double>(resident) / static_cast<double>(pages.size());
}

bool supports_direct_io(const std::filesystem::path& path) {
  const auto file = open_file::try_open(path, O_RDONLY | O_DIRECT);
  if (!file) return false;
  const region block(4096, 4096);
  return pread(file->descriptor(), block.bytes().data(), block.bytes().size(), 0) >= 0;
}

}  // namespace ridge::host
