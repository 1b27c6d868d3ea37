// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <utility>

namespace ridge::host {

// Owns a file descriptor and closes it.
class open_file final {
 public:
  // Flags as for open(2), close-on-exec added; a created file is the user's alone. Throws io_failure.
  open_file(const std::filesystem::path& path, int flags);
  // Nothing instead of an exception.
  [[nodiscard]] static std::optional<open_file> try_open(const std::filesystem::path& path, int flags);
  ~open_file();
  open_file(open_file&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  open_file& operator=(open_file&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  // Returns the file descriptor, owned by this object.
  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  explicit open_file(int descriptor) : descriptor_(descriptor) {}
  int descriptor_ = -1;
};

}  // namespace ridge::host
