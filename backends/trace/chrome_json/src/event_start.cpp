// SPDX-License-Identifier: Apache-2.0
#include "event_start.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "json_text.hpp"

namespace ridge::backends::trace_chrome_json {
namespace {

constexpr std::ptrdiff_t longest_key = 6;

bool is_member_of_events(std::string_view text) {
  constexpr std::array<std::string_view, 8> keys{"\"ph\"",  "\"name\"", "\"cat\"", "\"pid\"",
                                                 "\"tid\"", "\"ts\"",   "\"dur\"", "\"id\""};
  return std::ranges::any_of(keys, [text](std::string_view key) { return text.starts_with(key); });
}

bool is_value_of_member(const char* begin, const char* brace) {
  while (brace > begin && is_space(brace[-1])) --brace;
  return brace > begin && brace[-1] == ':';
}

}  // namespace

bool is_told(const char* brace, const char* end) { return past_space(brace + 1) + longest_key <= end; }

bool has_member_of_events(const char* brace) {
  return is_member_of_events({past_space(brace + 1), longest_key});
}

const char* next_event_start(const char* begin, const char* position, const char* end) {
  for (; position < end; ++position) {
    position = static_cast<const char*>(std::memchr(position, '{', static_cast<std::size_t>(end - position)));
    if (position == nullptr) return end;
    if (is_value_of_member(begin, position)) continue;
    if (!is_told(position, end) || has_member_of_events(position)) return position;
  }
  return end;
}

}  // namespace ridge::backends::trace_chrome_json
