// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace ridge::plan::serve {

// The lines of a text one after another, without their ends ("\n" or "\r\n") and without a byte order mark.
class text_lines {
 public:
  explicit text_lines(std::string_view text) : text_(text) {
    if (text_.starts_with("\xef\xbb\xbf")) text_.remove_prefix(3);
  }
  [[nodiscard]] bool next() {
    if (text_.empty()) return false;
    const auto end = text_.find('\n');
    line_ = text_.substr(0, end);
    text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);
    if (!line_.empty() && line_.back() == '\r') line_.remove_suffix(1);
    ++number_;
    return true;
  }
  [[nodiscard]] std::string_view line() const { return line_; }
  [[nodiscard]] std::int64_t number() const { return number_; }  // from 1

 private:
  std::string_view text_, line_{};
  std::int64_t number_ = 0;
};

}  // namespace ridge::plan::serve
