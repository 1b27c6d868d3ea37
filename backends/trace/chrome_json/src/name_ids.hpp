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

// The ids of texts by their raw bytes: a text is unescaped and checked once, not once an event. A small table
// of those seen last stands before the builder's.
class name_ids {
 public:
  explicit name_ids(trace::trace_builder& to);
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
  [[nodiscard]] static std::size_t slot_of(const char* at, std::size_t size);
  [[nodiscard]] const char* kept(std::string_view text);
  [[nodiscard]] trace::name_id missed(std::string_view raw);

  trace::trace_builder& to_;
  std::vector<slot> slots_;
  std::vector<std::unique_ptr<char[]>> blocks_{};  // of the slots' texts
  std::size_t used_ = 0;                           // of the last block
  std::unordered_map<std::string, trace::name_id> mended_{};
  std::uint64_t broken_ = 0;
};

}  // namespace ridge::backends::trace_chrome_json
