// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "json_text.hpp"

namespace ridge::backends::trace_chrome_json {

// A small table of the texts that were read last, by their raw bytes, each with a number.
class recent_texts {
 public:
  static constexpr std::size_t longest = 1024;  // bytes of a text that is kept

  recent_texts();
  // Returns the number of a text that is neither empty nor longer than the longest; nullopt where it is not
  // known any more.
  [[nodiscard]] std::optional<std::uint32_t> find(const token& raw) const;
  // Keeps such a text with its number.
  void keep(const token& raw, std::uint32_t number);

 private:
  static constexpr unsigned slot_bits = 14;
  static constexpr std::size_t slots = std::size_t{1} << slot_bits;
  struct slot {
    const char* text = nullptr;
    std::uint32_t size = 0;
    std::uint32_t number = 0;
  };
  [[nodiscard]] static std::size_t slot_of(const char* position, std::size_t size);
  [[nodiscard]] const char* kept(std::string_view text);

  std::vector<slot> slots_;
  std::vector<std::unique_ptr<char[]>> blocks_{};  // memory of the slots' texts
  std::size_t used_ = 0;                           // bytes used in the last block
};

}  // namespace ridge::backends::trace_chrome_json
