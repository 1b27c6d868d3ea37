// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <ridge/trace/byte_source.hpp>

namespace ridge::trace {

// Walks through the files of a tar from front to back. It reads ustar, GNU's long names and sizes, and pax
// paths and sizes.
class tar_walk {
 public:
  struct entry {
    std::string name{};
    std::uint64_t bytes = 0;
  };

  tar_walk(std::unique_ptr<byte_source> source, std::string name);

  // Moves to the next regular file and skips what is left of the one before; nullopt at the end.
  [[nodiscard]] std::optional<entry> next();
  [[nodiscard]] std::size_t read(std::span<char> buffer);  // reads the current file
  [[nodiscard]] std::optional<error> ended_early() const;

 private:
  using header = std::array<char, 512>;
  struct overrides {
    std::string name{};
    std::optional<std::uint64_t> bytes{};
  };
  [[nodiscard]] std::optional<header> next_header();
  [[nodiscard]] bool take_override(const header& entry, overrides& changes);
  [[nodiscard]] std::string short_text();
  void skip(std::uint64_t bytes);
  void end_early(std::string_view reason);

  std::unique_ptr<byte_source> source_;
  std::string name_;
  std::uint64_t left_ = 0, padding_ = 0, position_ = 0;
  std::optional<error> early_{};
  bool ended_ = false;
};

}  // namespace ridge::trace
