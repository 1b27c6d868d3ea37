// SPDX-License-Identifier: Apache-2.0
#include "text_window.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

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
    const auto got = read({bytes_.data() + size_, room - size_});
    size_ += got;
    ended_ = got == 0;
  }
  std::fill_n(bytes_.begin() + static_cast<std::ptrdiff_t>(size_), text_padding, '\0');
  return bytes_.data();
}

std::string text_window::leave(const char* position) {
  return std::string(position, end()) + std::exchange(put_back_, {}).substr(std::exchange(put_back_read_, 0));
}

void text_window::restart(std::string text, std::uint64_t offset) {
  put_back_ = std::move(text);
  put_back_read_ = 0;
  offset_ = offset;
  size_ = 0;
  ended_ = false;
  static_cast<void>(advance(begin()));
}

std::size_t text_window::read(std::span<char> buffer) {
  if (put_back_read_ == put_back_.size()) return source_.read(buffer);
  const auto n = put_back_.copy(buffer.data(), buffer.size(), put_back_read_);
  put_back_read_ += n;
  return n;
}

}  // namespace ridge::backends::trace_chrome_json
