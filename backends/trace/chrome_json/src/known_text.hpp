// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>

#include "text_block.hpp"

namespace ridge::backends::trace_chrome_json {

// A short text that is likely to occur again.
class known_text {
 public:
  static constexpr unsigned longest = 32;

  // Returns whether the learned text is at `position`; false where none was learned.
  [[nodiscard]] bool stands_at(const char* position) const {
    const auto same = text_part(position).equal(text_part(bytes_)) |
                      text_part(position + 16).equal(text_part(bytes_ + 16)) << 16;
    return (same & within_) == within_ && size_ != 0;
  }
  [[nodiscard]] unsigned size() const { return size_; }

  void learn(const char* begin, const char* end) {
    if (end - begin > longest) return;
    size_ = static_cast<unsigned>(end - begin);
    within_ = below(size_);
    std::memcpy(bytes_, begin, size_);
  }

 private:
  alignas(16) char bytes_[longest]{};
  byte_mask within_ = 0;
  unsigned size_ = 0;
};

}  // namespace ridge::backends::trace_chrome_json
