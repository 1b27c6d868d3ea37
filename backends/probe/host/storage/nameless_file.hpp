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

// How files are opened and requests are sent; a test replaces these functions.
struct storage_ways {
  std::function<std::optional<host::open_file>(const std::filesystem::path&, int flags)> open =
      host::open_file::try_open;
  std::function<std::unique_ptr<block_engine>(int depth, std::string& why_not)> ring = make_uring_engine;
};

// A file without a name: by O_TMPFILE, else removed as soon as it is made, so that it disappears with the
// process, however that ends.
class nameless_file final {
 public:
  // Makes a file with room for `bytes`, or for a quarter of the free space where that is less. Throws
  // unavailable where a quarter is less than `least_bytes`, and io_failure where the folder cannot be
  // written.
  nameless_file(const std::filesystem::path& folder, std::size_t bytes, const storage_ways& ways);
  static constexpr std::size_t least_bytes = std::size_t{8} << 20;

  [[nodiscard]] std::size_t room() const { return room_; }
  // Returns a descriptor that goes through the page cache.
  [[nodiscard]] int buffered() const { return plain_->descriptor(); }
  // Returns a descriptor that bypasses the page cache where the file system allows it; else one through it.
  [[nodiscard]] int direct() const { return (direct_ ? direct_ : plain_)->descriptor(); }
  [[nodiscard]] bool is_direct() const { return direct_.has_value(); }
  // Returns a path that leads to it in this process.
  [[nodiscard]] std::filesystem::path path() const;
  // Writes the file back and asks the kernel to forget it; returns whether most of it is forgotten.
  [[nodiscard]] bool forget() const;

 private:
  void make_room(const std::filesystem::path& folder, std::size_t bytes);
  std::optional<host::open_file> plain_{}, direct_{};
  std::size_t room_ = 0;
};

}  // namespace ridge::backends::probe_host
