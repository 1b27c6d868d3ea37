// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/whole_content.hpp>

#include <algorithm>
#include <cstddef>
#include <span>

namespace ridge::trace {

std::optional<std::string> whole_content(byte_source& source, std::uint64_t most) {
  constexpr std::size_t block = std::size_t{1} << 20;
  std::string content;
  content.reserve(std::min<std::uint64_t>(source.size_hint().value_or(0), most) + block);
  for (std::size_t got = 1; got > 0 && content.size() <= most;) {
    const auto before = content.size();
    content.resize(before + block);
    got = source.read(std::span(content).subspan(before));
    content.resize(before + got);
  }
  if (content.size() > most) return std::nullopt;
  return content;
}

}  // namespace ridge::trace
