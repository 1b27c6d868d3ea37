// SPDX-License-Identifier: Apache-2.0
#include "raw_event.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace ridge::trace_report {
namespace {

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

bool begins_scalar(char c) {
  return !trace::ends_json_scalar(c) && c != '"' && c != '{' && c != '[' && c != ':';
}

// Whether a scalar is a word other than true, false and null: NaN, inf, -Infinity.
bool is_no_number(std::string_view scalar) {
  const char first = scalar.starts_with('-') && scalar.size() > 1 ? scalar[1] : scalar[0];
  const bool is_word = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z');
  return is_word && scalar != "true" && scalar != "false" && scalar != "null";
}

json_piece* piece_of(raw_event& event, std::string_view key) {
  if (key == "\"ph\"") return &event.phase;
  if (key == "\"pid\"") return &event.process;
  if (key == "\"tid\"") return &event.thread;
  if (key == "\"ts\"") return &event.start;
  if (key == "\"id\"") return &event.id;
  return key == "\"bind_id\"" ? &event.bind_id : nullptr;
}

}  // namespace

char raw_event::phase_letter() const {
  return phase.told() && phase.end - phase.begin == 3 && *phase.begin == '"' ? phase.begin[1] : '\0';
}

const char* past_event(trace::json_walk& walk, const char* position, raw_event& event) {
  event = {};
  const auto* at = position + 1;
  for (json_piece key; walk.next(at, '}');) {
    const auto* value = walk.past_key(at, key);
    if (value == nullptr) return nullptr;
    at = walk.past_value(value);
    if (at == nullptr) return nullptr;
    if (auto* piece = piece_of(event, key.text())) *piece = {value, at};
  }
  if (at != nullptr) event.whole = {position, at};
  return at;
}

std::size_t next_event_at(std::string_view text, std::size_t position) {
  constexpr std::array<std::string_view, 8> keys{"\"ph\"",  "\"name\"", "\"cat\"", "\"pid\"",
                                                 "\"tid\"", "\"ts\"",   "\"dur\"", "\"id\""};
  for (auto at = text.find('{', position); at != std::string_view::npos; at = text.find('{', at + 1)) {
    auto before = at;
    while (before > 0 && is_space(text[before - 1])) --before;
    if (before > 0 && text[before - 1] == ':') continue;
    auto inside = at + 1;
    while (inside < text.size() && is_space(text[inside])) ++inside;
    const auto first = text.substr(inside, 6);
    if (std::ranges::any_of(keys, [&](std::string_view key) { return first.starts_with(key); })) return at;
  }
  return std::string_view::npos;
}

std::string mended_json(std::string_view text) {
  std::string made;
  bool in_text = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto rest = text.substr(i);
    if (in_text && c == '\\') {
      made += rest.substr(0, 2);
      ++i;
    } else if (in_text && static_cast<unsigned char>(c) < 0x20) {
      made += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else if (!in_text && begins_scalar(c)) {
      const auto scalar = rest.substr(
          0, static_cast<std::size_t>(std::ranges::find_if(rest, trace::ends_json_scalar) - rest.begin()));
      made += is_no_number(scalar) ? "null" : scalar;
      i += scalar.size() - 1;
    } else {
      in_text = in_text != (c == '"');
      made += c;
    }
  }
  return made;
}

}  // namespace ridge::trace_report
