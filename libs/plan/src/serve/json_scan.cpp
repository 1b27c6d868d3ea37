// SPDX-License-Identifier: Apache-2.0
#include "json_scan.hpp"

namespace ridge::plan::serve {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::size_t after_space(std::string_view text, std::size_t position) {
  while (position < text.size() && is_space(text[position])) ++position;
  return position;
}

std::size_t string_length(std::string_view text) {
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      return i + 1;
  }
  return 0;
}

std::size_t nested_length(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      const auto length = string_length(text.substr(i));
      if (length == 0) return 0;
      i += length - 1;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if ((c == '}' || c == ']') && --depth == 0) {
      return i + 1;
    }
  }
  return 0;
}

std::size_t word_length(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size() && !is_space(text[i]) && text[i] != ',' && text[i] != '}' && text[i] != ']' &&
         text[i] != ':' && text[i] != '{' && text[i] != '[' && text[i] != '"')
    ++i;
  return i;
}

}  // namespace

std::size_t json_value_length(std::string_view text) {
  if (text.empty()) return 0;
  if (text.front() == '"') return string_length(text);
  if (text.front() == '{' || text.front() == '[') return nested_length(text);
  return word_length(text);
}

void json_members::open() {
  skip_space();
  if (!take('{')) failed_ = true;
}

void json_members::skip_space() { position_ = after_space(text_, position_); }

bool json_members::take(char c) {
  if (position_ >= text_.size() || text_[position_] != c) return false;
  ++position_;
  return true;
}

bool json_members::fail() {
  failed_ = true;
  return false;
}

bool json_members::next() {
  if (failed_) return false;
  skip_space();
  if (take('}')) return false;
  if (!first_ && !take(',')) return fail();
  first_ = false;
  skip_space();
  if (position_ >= text_.size() || text_[position_] != '"') return fail();
  const auto key_length = string_length(text_.substr(position_));
  if (key_length == 0) return fail();
  key_ = text_.substr(position_ + 1, key_length - 2);
  position_ += key_length;
  skip_space();
  if (!take(':')) return fail();
  skip_space();
  const auto length = json_value_length(text_.substr(position_));
  if (length == 0) return fail();
  value_ = text_.substr(position_, length);
  position_ += length;
  return true;
}

json_elements::json_elements(std::string_view array) : text_(array) {
  position_ = after_space(text_, 0);
  failed_ = position_ >= text_.size() || text_[position_] != '[';
  ++position_;
}

bool json_elements::next() {
  if (failed_) return false;
  position_ = after_space(text_, position_);
  if (position_ < text_.size() && text_[position_] == ']') return false;
  if (!first_) {
    if (position_ >= text_.size() || text_[position_] != ',') return failed_ = true, false;
    position_ = after_space(text_, position_ + 1);
  }
  first_ = false;
  const auto length = position_ < text_.size() ? json_value_length(text_.substr(position_)) : 0;
  if (length == 0) return failed_ = true, false;
  value_ = text_.substr(position_, length);
  position_ += length;
  return true;
}

std::optional<std::string_view> json_member(std::string_view object, std::string_view key) {
  json_members m(object);
  while (m.next()) {
    if (m.key() == key) return m.value();
  }
  return std::nullopt;
}

std::vector<std::string_view> json_array(std::string_view object, std::string_view key) {
  std::vector<std::string_view> all;
  const auto array = json_member(object, key);
  if (!array) return all;
  json_elements e(*array);
  while (e.next()) all.push_back(e.value());
  return all;
}

std::string_view json_unquoted(std::string_view value) {
  return value.size() >= 2 && value.front() == '"' ? value.substr(1, value.size() - 2) : value;
}

}  // namespace ridge::plan::serve
