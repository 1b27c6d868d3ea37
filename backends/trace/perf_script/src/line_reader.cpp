// SPDX-License-Identifier: Apache-2.0
#include "line_reader.hpp"

#include <algorithm>

namespace ridge::backends::trace_perf_script {
namespace {

constexpr std::size_t block_bytes = std::size_t{64} << 10, longest_line = std::size_t{1} << 20;

}  // namespace

bool line_reader::fill() {
  held_.erase(0, position_);
  offset_ += position_;
  position_ = 0;
  const auto had = held_.size();
  held_.resize(had + block_bytes);
  const auto got = source_.read({held_.data() + had, block_bytes});
  held_.resize(had + got);
  return got > 0;
}

std::optional<text_line> line_reader::next() {
  for (std::size_t looked = 0;;) {
    const auto end = held_.find('\n', position_ + looked);
    const auto length = std::min(end, held_.size()) - position_;
    if (end != std::string::npos || length >= longest_line || (ended_ && length > 0)) {
      const text_line line{std::string_view(held_).substr(position_, length), offset_ + position_};
      position_ += length + (end != std::string::npos ? 1 : 0);
      return line;
    }
    if (ended_) return std::nullopt;
    looked = length;
    ended_ = !fill();
  }
}

}  // namespace ridge::backends::trace_perf_script
