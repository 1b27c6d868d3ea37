// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include <ridge/trace/trace_builder.hpp>

#include "json_text.hpp"

namespace ridge::backends::trace_chrome_json {

// The ids of texts by their raw bytes, so that a text is unescaped and checked once, not once per event. A
// small table of recent texts precedes the builder's.
class name_ids {
 public:
  explicit name_ids(trace::trace_builder& builder);
  [[nodiscard]] trace::name_id of(const token& raw);
  [[nodiscard]] std::uint64_t broken() const { return broken_; }  // texts that had to be mended

 private:
  static constexpr unsigned slot_bits = 14;
  static constexpr std::size_t slots = std::size_t{1} << slot_bits, longest = 1024;
  struct slot {
    const char* text = nullptr;
    std::uint32_t size = 0;
    trace::name_id id = 0;
  };
  [[nodiscard]] static std::size_t slot_of(const char* position, std::size_t size);
  [[nodiscard]] const char* kept(std::string_view text);
  [[nodiscard]] trace::name_id missed(std::string_view raw);

  trace::trace_builder& builder_;
  std::vector<slot> slots_;
  std::vector<std::unique_ptr<char[]>> blocks_{};  // memory of the slots' texts
  std::size_t used_ = 0;                           // bytes used in the last block
  std::unordered_map<std::string, trace::name_id> mended_{};
  std::uint64_t broken_ = 0;
};

}  // namespace ridge::backends::trace_chrome_json
