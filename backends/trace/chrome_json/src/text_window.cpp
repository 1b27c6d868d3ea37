// SPDX-License-Identifier: Apache-2.0
#include "text_window.hpp"

#include <algorithm>
#include <cstring>

namespace ridge::backends::trace_chrome_json {

text_window::text_window(trace::byte_source& source, std::size_t bytes)
    : source_(source), bytes_(bytes + text_padding) {
  static_cast<void>(advance(begin()));
}

const char* text_window::advance(const char* keep) {
  const auto kept = static_cast<std::size_t>(end() - keep);
  offset_ = offset_of(keep);
  std::memmove(bytes_.data(), keep, kept);
  size_ = kept;
  auto room = bytes_.size() - text_padding;
  if (kept > room / 2 && room < most_bytes) {
    bytes_.resize(2 * room + text_padding);
    room *= 2;
  }
  while (!ended_ && size_ < room) {
    const auto got = source_.read({bytes_.data() + size_, room - size_});
    size_ += got;
    ended_ = got == 0;
  }
  std::fill_n(bytes_.begin() + static_cast<std::ptrdiff_t>(size_), text_padding, '\0');
  return bytes_.data();
}

}  // namespace ridge::backends::trace_chrome_json
