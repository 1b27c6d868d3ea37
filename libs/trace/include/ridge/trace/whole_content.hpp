// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include <ridge/trace/byte_source.hpp>

namespace ridge::trace {

// Bytes that are held in memory.
class held_bytes {
 public:
  held_bytes(std::unique_ptr<char[]> bytes, std::size_t size) : bytes_(std::move(bytes)), size_(size) {}
  // All of them; they go with this object.
  [[nodiscard]] std::string_view view() const { return {bytes_.get(), size_}; }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t size_;
};

// Returns everything that a source gives; nullopt where that is more than `most` bytes.
[[nodiscard]] std::optional<held_bytes> whole_content(byte_source& source, std::uint64_t most);

}  // namespace ridge::trace
