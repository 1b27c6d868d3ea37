// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <utility>

namespace ridge::host {

// Owns a file descriptor and closes it.
class open_file final {
 public:
  // Opens a file with the flags of open(2) and close-on-exec; only the user may read and write a file that it
  // creates. Throws io_failure.
  open_file(const std::filesystem::path& path, int flags);
  // Does the same, but returns nothing where the constructor throws.
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
