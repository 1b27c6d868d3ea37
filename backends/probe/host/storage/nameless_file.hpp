// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <ridge/host/open_file.hpp>

#include "storage/block_engine.hpp"

namespace ridge::backends::probe_host {

// How files are opened and requests made; what a test takes away.
struct storage_ways {
  std::function<std::optional<host::open_file>(const std::filesystem::path&, int flags)> open =
      host::open_file::try_open;
  std::function<std::unique_ptr<block_engine>(int depth, std::string& why_not)> ring = make_uring_engine;
};

// A file without a name: O_TMPFILE, else removed as soon as it is made, so that it is gone when the process
// is, however that ends.
class nameless_file final {
 public:
  // With room for `bytes`, or a quarter of what is free where that is less. Throws unavailable where a
  // quarter is not `least_bytes`, io_failure where the folder cannot be written.
  nameless_file(const std::filesystem::path& folder, std::size_t bytes, const storage_ways& ways);
  static constexpr std::size_t least_bytes = std::size_t{8} << 20;

  [[nodiscard]] std::size_t room() const { return room_; }
  // Through the page cache.
  [[nodiscard]] int buffered() const { return plain_->descriptor(); }
  // Past it where the file system allows that; else through it, and why.
  [[nodiscard]] int direct() const { return (direct_ ? direct_ : plain_)->descriptor(); }
  [[nodiscard]] bool is_direct() const { return direct_.has_value(); }
  // A path that leads to it in this process.
  [[nodiscard]] std::filesystem::path path() const;
  // Writes back and asks the kernel to forget it; whether most of it is forgotten.
  [[nodiscard]] bool forget() const;

 private:
  void make_room(const std::filesystem::path& folder, std::size_t bytes);
  std::optional<host::open_file> plain_{}, direct_{};
  std::size_t room_ = 0;
};

}  // namespace ridge::backends::probe_host
