// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <utility>

namespace ridge {

// Returns the folder for temporary files: TMPDIR, or what else the system names, else /tmp. Throws failure
// where that is no folder.
[[nodiscard]] std::filesystem::path temporary_folder();

// A new folder among the temporary files, removed with everything in it when this object ends.
class scratch_folder final {
 public:
  // Makes "PURPOSE-" and six drawn characters, for this user alone. Throws failure where it cannot.
  explicit scratch_folder(const std::string& purpose);
  ~scratch_folder();
  scratch_folder(scratch_folder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  scratch_folder& operator=(scratch_folder&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
  }
  // Returns where it is.
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace ridge
