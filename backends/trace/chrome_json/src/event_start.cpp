// SPDX-License-Identifier: Apache-2.0
#include "event_start.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "json_text.hpp"

namespace ridge::backends::trace_chrome_json {
namespace {

bool is_member_of_events(std::string_view text) {
  constexpr std::array<std::string_view, 8> keys{"\"ph\"",  "\"name\"", "\"cat\"", "\"pid\"",
                                                 "\"tid\"", "\"ts\"",   "\"dur\"", "\"id\""};
  return std::ranges::any_of(keys, [text](std::string_view key) { return text.starts_with(key); });
}

bool starts_event(const char* brace, const char* begin) {
  const auto* before = brace - 1;
  while (before > begin && is_space(*before)) --before;
  return *before != ':' && is_member_of_events({past_space(brace + 1), 8});
}

}  // namespace

const char* next_event_start(const char* at, const char* end) {
  for (const auto* begin = at - 1; at < end; ++at) {
    at = static_cast<const char*>(std::memchr(at, '{', static_cast<std::size_t>(end - at)));
    if (at == nullptr) return end;
    if (starts_event(at, begin)) return at;
  }
  return end;
}

}  // namespace ridge::backends::trace_chrome_json
