// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>

namespace ridge::backends::probe_host {

// A file of random bytes, written past the page cache where the file system allows it, and removed at the
// end.
class scratch_file final {
 public:
  // Writes whole blocks until `bytes` are written or `time_s` is over, but at least one; size() returns how
  // many bytes. Throws io_failure.
  scratch_file(const std::filesystem::path& folder, std::size_t bytes, double time_s);
  ~scratch_file();
  scratch_file(const scratch_file&) = delete;
  scratch_file& operator=(const scratch_file&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  static constexpr std::size_t block_bytes = std::size_t{8} << 20;

 private:
  void write_blocks(std::size_t bytes, double time_s);
  std::filesystem::path path_;
  std::size_t size_ = 0;
};

}  // namespace ridge::backends::probe_host
