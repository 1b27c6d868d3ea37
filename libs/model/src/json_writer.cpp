// SPDX-License-Identifier: Apache-2.0
#include <ridge/model/json_writer.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include <ridge/base/expects.hpp>
#include <ridge/base/utf8.hpp>

namespace ridge::model {
namespace {

// Returns the number of bytes at the front that need no escape; most texts contain nothing else.
std::size_t plain_length(std::string_view s) {
  const auto stands = [](char c) {
    const auto u = static_cast<unsigned char>(c);
    return u >= 0x20 && u < 0x7f && c != '"' && c != '\\';
  };
  return static_cast<std::size_t>(std::ranges::find_if_not(s, stands) - s.begin());
}

void append_escaped(std::string& out, char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\t':
      out += "\\t";
      return;
    case '\r':
      out += "\\r";
      return;
    default:
      break;
  }
  if (static_cast<unsigned char>(c) < 0x20) {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
  } else {
    out += c;
  }
}

}  // namespace

json_writer& json_writer::open(char bracket, bool on_one_line) {
  separate();
  text_ += bracket;
  levels_.push_back({.empty = true, .on_one_line = on_one_line});
  return *this;
}

json_writer& json_writer::close(char bracket) {
  expects(!levels_.empty(), "json_writer: nothing is open");
  const auto closed = levels_.back();
  levels_.pop_back();
  if (!closed.empty && !closed.on_one_line) new_line();
  text_ += bracket;
  return *this;
}

json_writer& json_writer::key(std::string_view name) {
  value(name);
  text_ += indent_ ? ": " : ":";
  after_key_ = true;
  return *this;
}

json_writer& json_writer::value(std::string_view text) {
  separate();
  text_ += '"';
  while (!text.empty()) {
    const auto plain = plain_length(text);
    text_ += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const auto n = utf8_sequence_length(text);
    if (n == 0) {
      text_ += "\xef\xbf\xbd";
    } else if (n == 1) {
      append_escaped(text_, text[0]);
    } else {
      text_ += text.substr(0, n);
    }
    text.remove_prefix(n ? n : 1);
  }
  text_ += '"';
  return *this;
}

json_writer& json_writer::value(double number) {
  if (!std::isfinite(number)) return null();
  separate();
  fmt::format_to(std::back_inserter(text_), "{}", number);
  return *this;
}

json_writer& json_writer::value_with_point(double number) {
  if (!std::isfinite(number)) return null();
  const auto text = fmt::format("{}", number);
  return raw(text.find_first_of(".e") == std::string::npos ? text + ".0" : text);
}

json_writer& json_writer::whole(std::int64_t n) {
  separate();
  fmt::format_to(std::back_inserter(text_), "{}", n);
  return *this;
}

json_writer& json_writer::whole(std::uint64_t n) {
  separate();
  fmt::format_to(std::back_inserter(text_), "{}", n);
  return *this;
}

json_writer& json_writer::raw(std::string_view text) {
  separate();
  text_ += text;
  return *this;
}

void json_writer::separate() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (levels_.empty()) return;
  auto& here = levels_.back();
  if (!here.empty) text_ += ',';
  if (!here.on_one_line) {
    new_line();
  } else if (!here.empty && indent_) {
    text_ += ' ';
  }
  here.empty = false;
}

void json_writer::new_line() {
  if (indent_ == 0) return;
  text_ += '\n';
  text_.append(levels_.size() * indent_, ' ');
}

}  // namespace ridge::model
