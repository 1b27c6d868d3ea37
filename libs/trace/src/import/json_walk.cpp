// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/json_walk.hpp>

#include <cstring>

namespace ridge::trace {
namespace {

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

}  // namespace

const char* json_walk::past_space(const char* position) const {
  while (position < end && is_space(*position)) ++position;
  return position;
}

const char* json_walk::past_text(const char* position) {
  if (position >= end || *position != '"') return stop(position);
  for (const auto* at = position + 1; at < end;) {
    at = static_cast<const char*>(std::memchr(at, '"', static_cast<std::size_t>(end - at)));
    if (at == nullptr) break;
    const auto* before = at;
    while (before[-1] == '\\') --before;  // ends at the opening quote at the latest
    if ((at - before) % 2 == 0) return at + 1;
    ++at;
  }
  return stop(end);
}

const char* json_walk::past_value(const char* position) {
  if (position >= end) return stop(position);
  if (*position == '"') return past_text(position);
  const auto* at = position;
  if (*position != '{' && *position != '[') {
    while (at < end && !ends_json_scalar(*at)) ++at;
    return at == position || at == end ? stop(at) : at;
  }
  for (std::size_t depth = 0; at < end;) {
    if (*at == '"') {
      at = past_text(at);
      if (at == nullptr) return nullptr;
      continue;
    }
    if (*at == '{' || *at == '[') ++depth;
    if (*at == '}' || *at == ']') --depth;
    ++at;
    if (depth == 0) return at;
  }
  return stop(end);
}

const char* json_walk::past_key(const char* position, json_piece& key) {
  const auto* behind = past_text(position);
  if (behind == nullptr) return nullptr;
  key = {position, behind};
  behind = past_space(behind);
  if (behind >= end || *behind != ':') return stop(behind);
  return past_space(behind + 1);
}

bool json_walk::next(const char*& position, char closing) {
  while (position < end && (is_space(*position) || *position == ',')) ++position;
  if (position >= end) {
    position = stop(position);
    return false;
  }
  if (*position != closing) return true;
  ++position;
  return false;
}

}  // namespace ridge::trace
