// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <ridge/trace/byte_source.hpp>

namespace ridge::backends::trace_perf_script {

struct text_line {
  std::string_view text{};   // without its line end; valid until the next call
  std::uint64_t offset = 0;  // offset in the input
};

// Reads the lines of a source one at a time; a line longer than 1 MiB comes in pieces.
class line_reader {
 public:
  explicit line_reader(trace::byte_source& source) : source_(source) {}
  [[nodiscard]] std::optional<text_line> next();
  [[nodiscard]] std::uint64_t bytes_read() const { return offset_ + held_.size(); }

 private:
  bool fill();
  trace::byte_source& source_;
  std::string held_{};
  std::size_t position_ = 0;
  std::uint64_t offset_ = 0;  // offset of held_
  bool ended_ = false;
};

}  // namespace ridge::backends::trace_perf_script
