// SPDX-License-Identifier: Apache-2.0
#include <ridge/model/json_writer.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include <ridge/base/expects.hpp>

namespace ridge::model {
namespace {

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xc0u) == 0x80u; }

// Returns the bytes of the well-formed UTF-8 sequence at the front (Unicode 15, table 3-7); 0 when there is
// none.
std::size_t sequence_length(std::string_view s) {
  const auto lead = static_cast<unsigned char>(s[0]);
  if (lead < 0x80) return 1;
  const std::size_t n = lead >= 0xc2 && lead < 0xe0   ? 2
                        : (lead & 0xf0u) == 0xe0u     ? 3
                        : lead >= 0xf0 && lead < 0xf5 ? 4
                                                      : 0;
  if (n == 0 || s.size() < n) return 0;
  for (std::size_t i = 1; i < n; ++i) {
    if (!continues(s[i])) return 0;
  }
  const auto second = static_cast<unsigned char>(s[1]);
  const bool overlong = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
  const bool beyond = (lead == 0xed && second > 0x9f) || (lead == 0xf4 && second > 0x8f);
  return overlong || beyond ? 0 : n;
}

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
    const auto n = sequence_length(text);
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
