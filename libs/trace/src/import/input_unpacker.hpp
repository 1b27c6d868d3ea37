// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace ridge::trace {

// Decompresses one format, fed piece by piece.
class unpacker {
 public:
  enum class state { more, frame_end, damaged };
  struct step {
    std::size_t consumed = 0;
    std::size_t produced = 0;
    state now = state::more;
  };

  virtual ~unpacker() = default;
  [[nodiscard]] virtual step unpack(std::span<const char> packed, std::span<char> out) = 0;
  virtual void restart() = 0;  // before another frame
  // Returns whether these bytes begin a frame; a container may hold several in a row.
  [[nodiscard]] virtual bool begins(std::string_view head) const = 0;
  [[nodiscard]] virtual std::string_view format() const = 0;  // "gzip"
  [[nodiscard]] virtual std::string damage() const = 0;       // after state::damaged, in the library's words
};

// Return whether these bytes begin a frame of that format.
[[nodiscard]] bool begins_gzip(std::string_view head);
[[nodiscard]] bool begins_zstd(std::string_view head);

[[nodiscard]] std::unique_ptr<unpacker> gzip_unpacker();
[[nodiscard]] std::unique_ptr<unpacker> deflate_unpacker();  // without a header, as in a zip's member
[[nodiscard]] std::unique_ptr<unpacker> zstd_unpacker();

}  // namespace ridge::trace
