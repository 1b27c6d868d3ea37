// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/open_file.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include <ridge/base/error.hpp>

namespace ridge::host {

open_file::open_file(const std::filesystem::path& path, int flags)
    : descriptor_(open(path.c_str(), flags | O_CLOEXEC, 0600)) {
  if (descriptor_ < 0) throw io_failure("open", path.native(), errno);
}

std::optional<open_file> open_file::try_open(const std::filesystem::path& path, int flags) {
  const int descriptor = open(path.c_str(), flags | O_CLOEXEC, 0600);
  if (descriptor < 0) return std::nullopt;
  return open_file(descriptor);
}

open_file::~open_file() {
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace ridge::host
