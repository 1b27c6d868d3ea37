// SPDX-License-Identifier: Apache-2.0
#include "scanned_block.hpp"

#include <algorithm>
#include <limits>

#include "event_start.hpp"

namespace ridge::backends::trace_chrome_json {
namespace {

const char* before_space(const char* begin, const char* position) {
  while (position > begin && is_space(position[-1])) --position;
  return position;
}

bool is_behind_another(std::string_view text, std::size_t brace) {
  const auto* const begin = text.data();
  const auto* position = before_space(begin, begin + brace);
  if (position == begin || *--position != ',') return false;
  position = before_space(begin, position);
  return position > begin && position[-1] == '}';
}

}  // namespace

// The number of a name may change where it was not read for long.
std::int32_t block_scanner::number_of(const token& name) {
  if (!name.told() || name.size() == 0 || name.size() > recent_texts::longest) return -1;
  if (const auto known = names_.find(name)) return static_cast<std::int32_t>(*known);
  if (numbers_ == std::numeric_limits<std::int32_t>::max()) return -1;
  names_.keep(name, static_cast<std::uint32_t>(numbers_));
  return numbers_++;
}

// Reads the event at `position` and returns the position behind it; nullptr where it cannot be read.
const char* block_scanner::read(const char* position, scanned_block& block) {
  auto& event = block.events.emplace_back();
  const auto* behind = reader_.read(position, block.counts, event);
  if (behind == nullptr) return block.events.pop_back(), nullptr;
  event.name_number = number_of(event.name);
  if (event.args != nullptr && event.phase != 'C' && needs_args(event.phase, event.kind)) {
    event.args_number = static_cast<std::int32_t>(block.args.size());
    static_cast<void>(read_args(event.args, block.counts, block.args.emplace_back()));
  }
  return behind;
}

void block_scanner::scan(scanned_block& block) {
  block.events.clear();
  block.args.clear();
  block.scanner = index_;
  block.counts = {.end = block.end()};
  block.ends_within_event = false;
  const auto* cursor = block.begin();
  for (;;) {
    while (is_space(*cursor) || *cursor == ',') ++cursor;
    if (cursor >= block.end() || *cursor != '{') break;
    const auto before = block.counts;
    const auto* behind = read(cursor, block);
    if (behind == nullptr) {
      block.ends_within_event = block.counts.stopped_at_end();
      block.counts = before;
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
