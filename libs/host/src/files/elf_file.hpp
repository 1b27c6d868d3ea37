// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace ridge::host {

// Reads little-endian values from bytes, in order. What lies behind the end reads as 0, and good() says so.
class byte_reader final {
 public:
  explicit byte_reader(std::string_view bytes, std::size_t offset = 0) : bytes_(bytes), offset_(offset) {}
  [[nodiscard]] bool good() const { return good_; }
  [[nodiscard]] std::size_t offset() const { return offset_; }
  void skip(std::uint64_t count);
  // Returns an unsigned value of so many bytes, 8 at most.
  std::uint64_t value(std::size_t bytes);
  // Returns an unsigned LEB128 value; a signed one is read past alike.
  std::uint64_t leb128();
  // Returns the text up to the next null character.
  std::string_view text();

 private:
  std::string_view bytes_;
  std::size_t offset_;
  bool good_ = true;
};

// The sections of an ELF file of 64 bits and little-endian numbers.
class elf_file final {
 public:
  // `bytes` is the whole file.
  explicit elf_file(std::string bytes) : bytes_(std::move(bytes)) {}
  [[nodiscard]] bool valid() const;
  // Returns the bytes of a section; nothing where there is none of this name, or where it is compressed.
  [[nodiscard]] std::optional<std::string_view> section(std::string_view name) const;

 private:
  std::string bytes_;
};

}  // namespace ridge::host
