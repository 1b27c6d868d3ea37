// SPDX-License-Identifier: Apache-2.0
#include "unpacked_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <vector>

#include <ridge/base/error.hpp>
#include <ridge/base/temporary_folder.hpp>

namespace ridge::backends::trace_sqlite_tables {
namespace {

constexpr auto remedy = "make room, or name a folder with room in TMPDIR";

void write_all(int file, std::span<const char> bytes, const std::string& path) {
  while (!bytes.empty()) {
    const auto n = ::write(file, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw io_failure("write", path, errno, remedy);
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
}

struct closing {
  int file;
  ~closing() { ::close(file); }
};

void copy_into(const std::string& path, int file, trace::byte_source& source) {
  const closing at_end{file};
  std::vector<char> block(std::size_t{256} << 10);
  for (auto n = source.read(block); n > 0; n = source.read(block))
    write_all(file, std::span(block).first(n), path);
}

}  // namespace

unpacked_file::unpacked_file(trace::byte_source& source) {
  if (const auto own = source.path()) {
    path_ = *own;
    return;
  }
  path_ = (temporary_folder() / "ridge_sqlite.XXXXXX").string();
  const int file = ::mkstemp(path_.data());
  if (file < 0) throw io_failure("make", path_, errno, remedy);
  temporary_ = true;
  try {
    copy_into(path_, file, source);
  } catch (...) {
    ::unlink(path_.c_str());
    throw;
  }
}

unpacked_file::~unpacked_file() {
  if (temporary_) ::unlink(path_.c_str());
}

}  // namespace ridge::backends::trace_sqlite_tables
