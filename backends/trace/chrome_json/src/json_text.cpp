// SPDX-License-Identifier: Apache-2.0
#include "json_text.hpp"

namespace ridge::backends::trace_chrome_json {
namespace {

bool is_scalar(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '+' ||
         c == '.';
}

bool is_not_finite(const char* word) {
  if (*word == '-') ++word;
  return *word == 'N' || *word == 'I' || *word == 'i' || (*word == 'n' && word[1] == 'a');
}

const char* skip_scalar(const char* begin, json_text& text) {
  const auto* at = begin;
  while (is_scalar(*at)) ++at;
  if (at == begin || at >= text.end) return text.stop(at);
  text.non_finite += is_not_finite(begin);
  return at;
}

bool may_follow_text(char c) { return c == ',' || c == ':' || c == ']' || c == '}'; }

const char* skip_inner_text(const char* position, json_text& text) {
  token ignored;
  position = read_text(position + 1, text, ignored);
  if (position == nullptr) return nullptr;
  position = past_space(position);
  return may_follow_text(*position) ? position : text.stop(position);
}

}  // namespace

const char* read_odd_text(const char* begin, const char* position, json_text& text, token& value) {
  std::uint64_t controls = 0;
  for (;; position = special_in_text(position)) {
    if (position >= text.end) return text.stop(text.end);
    if (*position == '"') break;
    if (*position != '\\') ++controls;
    position += *position == '\\' ? 2 : 1;
  }
  text.controls += controls;
  value = {begin, position, false};
  return position + 1;
}

const char* skip_nested(const char* position, json_text& text) {
  for (std::size_t depth = 0;;) {
    if (*position == '"') {
      position = skip_inner_text(position, text);
      if (position == nullptr) return nullptr;
    } else if (*position == '{' || *position == '[') {
      ++depth;
      ++position;
    } else if (*position == '}' || *position == ']') {
      ++position;
      if (--depth == 0) return position;
    } else if (is_space(*position) || *position == ',' || *position == ':' || is_scalar(*position)) {
      ++position;
    } else {
      return text.stop(position);
    }
  }
}

const char* skip_odd_object(const char* position, json_text& text) {
  const auto controls = text.controls;
  position = skip_nested(position, text);
  text.controls = controls;
  return position;
}

const char* skip_value(const char* position, json_text& text) {
  if (*position == '{' || *position == '[') return skip_nested(position, text);
  if (*position != '"') return skip_scalar(position, text);
  token ignored;
  return read_text(position + 1, text, ignored);
}

const char* read_key(const char* position, json_text& text, token& value) {
  text.stopped = nullptr;
  position = past_space(position);
  while (*position == ',') position = past_space(position + 1);
  if (*position == '}' && position < text.end) {
    value = {position, position, true};
    return nullptr;
  }
  if (*position != '"') return text.stop(position);
  position = read_text(position + 1, text, value);
  if (position == nullptr) return nullptr;
  position = past_space(position);
  if (*position != ':') return text.stop(position);
  return past_space(position + 1);
}

}  // namespace ridge::backends::trace_chrome_json
