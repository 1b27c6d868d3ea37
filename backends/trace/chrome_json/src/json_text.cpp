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

const char* skip_scalar(const char* begin, json_text& in) {
  const auto* at = begin;
  while (is_scalar(*at)) ++at;
  if (at == begin || at >= in.end) return in.stop(at);
  in.non_finite += is_not_finite(begin);
  return at;
}

bool may_follow_text(char c) { return c == ',' || c == ':' || c == ']' || c == '}'; }

const char* skip_inner_text(const char* at, json_text& in) {
  token ignored;
  at = read_text(at + 1, in, ignored);
  if (at == nullptr) return nullptr;
  at = past_space(at);
  return may_follow_text(*at) ? at : in.stop(at);
}

}  // namespace

const char* read_odd_text(const char* begin, const char* at, json_text& in, token& into) {
  std::uint64_t controls = 0;
  for (;; at = special_in_text(at)) {
    if (at >= in.end) return in.stop(in.end);
    if (*at == '"') break;
    if (*at != '\\') ++controls;
    at += *at == '\\' ? 2 : 1;
  }
  in.controls += controls;
  into = {begin, at, false};
  return at + 1;
}

const char* skip_nested(const char* at, json_text& in) {
  for (std::size_t depth = 0;;) {
    if (*at == '"') {
      if ((at = skip_inner_text(at, in)) == nullptr) return nullptr;
    } else if (*at == '{' || *at == '[') {
      ++depth;
      ++at;
    } else if (*at == '}' || *at == ']') {
      ++at;
      if (--depth == 0) return at;
    } else if (is_space(*at) || *at == ',' || *at == ':' || is_scalar(*at)) {
      ++at;
    } else {
      return in.stop(at);
    }
  }
}

const char* skip_odd_object(const char* at, json_text& in) {
  const auto controls = in.controls;
  at = skip_nested(at, in);
  in.controls = controls;
  return at;
}

const char* skip_value(const char* at, json_text& in) {
  if (*at == '{' || *at == '[') return skip_nested(at, in);
  if (*at != '"') return skip_scalar(at, in);
  token ignored;
  return read_text(at + 1, in, ignored);
}

const char* read_key(const char* at, json_text& in, token& into) {
  in.stopped = nullptr;
  at = past_space(at);
  while (*at == ',') at = past_space(at + 1);
  if (*at == '}' && at < in.end) {
    into = {at, at, true};
    return nullptr;
  }
  if (*at != '"') return in.stop(at);
  if ((at = read_text(at + 1, in, into)) == nullptr) return nullptr;
  at = past_space(at);
  if (*at != ':') return in.stop(at);
  return past_space(at + 1);
}

}  // namespace ridge::backends::trace_chrome_json
