// SPDX-License-Identifier: Apache-2.0
#include "line_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace ridge::backends::profile_cupti {

line_file::line_file(const std::string& path)
    : descriptor_(open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)) {}

line_file::~line_file() {
  if (descriptor_ >= 0) close(descriptor_);
}

void line_file::append(std::string_view lines) {
  while (descriptor_ >= 0 && !lines.empty()) {
    const auto done = write(descriptor_, lines.data(), lines.size());
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return;
    lines.remove_prefix(static_cast<std::size_t>(done));
  }
}

}  // namespace ridge::backends::profile_cupti
