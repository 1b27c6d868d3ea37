// SPDX-License-Identifier: Apache-2.0
#include "scanned_block.hpp"

#include "event_start.hpp"

namespace ridge::backends::trace_chrome_json {
namespace {

bool is_behind_another(std::string_view text, std::size_t brace) {
  const auto before = [&text, &brace] {
    while (brace > 0 && is_space(text[brace - 1])) --brace;
    return brace > 0 ? text[--brace] : '\0';
  };
  return before() == ',' && before() == '}';
}

}  // namespace

void scan(scanned_block& block, event_reader& reader) {
  block.events.clear();
  block.counts = {.end = block.end()};
  block.ends_within_event = false;
  auto& text = block.counts;
  const auto* cursor = block.begin();
  for (;;) {
    while (is_space(*cursor) || *cursor == ',') ++cursor;
    if (cursor >= block.end() || *cursor != '{') break;
    const auto before = text;
    const auto* behind = reader.read(cursor, text, block.events.emplace_back());
    if (behind == nullptr) {
      block.events.pop_back();
      block.ends_within_event = text.stopped_at_end();
      text = before;
      break;
    }
    cursor = behind;
  }
  block.read = static_cast<std::size_t>(cursor - block.begin());
}

std::size_t place_to_cut(std::string_view text) {
  constexpr std::size_t most_looked_at = std::size_t{1} << 16;
  const auto least = text.size() - std::min(text.size(), most_looked_at);
  auto otherwise = text.size();
  for (auto at = text.rfind('{'); at != std::string_view::npos && at > least; at = text.rfind('{', at - 1)) {
    if (!is_behind_another(text, at)) continue;
    const auto* const brace = text.data() + at;
    const auto* const end = text.data() + text.size();
    if (is_told(brace, end) && has_member_of_events(brace)) return at;
    if (otherwise == text.size()) otherwise = at;
  }
  return otherwise;
}

}  // namespace ridge::backends::trace_chrome_json
