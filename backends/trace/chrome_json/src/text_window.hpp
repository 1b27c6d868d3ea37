// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <ridge/trace/byte_source.hpp>

#include "json_text.hpp"

namespace ridge::backends::trace_chrome_json {

// A part of the input in memory, followed by padding. It grows only where one event is longer than the
// window.
class text_window {
 public:
  // This size stays in a core's cache, where the system writes what is read next.
  static constexpr std::size_t usual_bytes = std::size_t{1} << 18;
  // A single event longer than this is damage.
  static constexpr std::size_t most_bytes = std::size_t{1} << 28;

  text_window(trace::byte_source& source, std::size_t bytes);

  [[nodiscard]] const char* begin() const { return bytes_.data(); }
  [[nodiscard]] const char* end() const { return bytes_.data() + size_; }
  [[nodiscard]] bool at_end_of_input() const { return ended_; }
  [[nodiscard]] std::uint64_t offset_of(const char* position) const {
    return offset_ + static_cast<std::uint64_t>(position - bytes_.data());
  }
  // Drops the text before `keep`, reads on and returns the new position of `keep`. At the end of the input,
  // or where the window cannot grow, nothing is read and end() is as far from `keep` as before.
  const char* advance(const char* keep);
  // Returns the text from `position` on that was read from the source, and keeps none: only restart() may
  // follow.
  [[nodiscard]] std::string leave(const char* position);
  // Drops the text, and goes on with `text`, which begins at `offset` in the input, before what the source
  // has.
  void restart(std::string text, std::uint64_t offset);

 private:
  std::size_t read(std::span<char> buffer);

  trace::byte_source& source_;
  std::vector<char> bytes_;
  std::size_t size_ = 0;
  std::uint64_t offset_ = 0;
  bool ended_ = false;
  std::string put_back_{};         // text before what the source has
  std::size_t put_back_read_ = 0;  // bytes of it
};

}  // namespace ridge::backends::trace_chrome_json
