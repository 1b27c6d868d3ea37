// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::model {

// Writes one JSON value front to back. Numbers that JSON lacks (NaN, infinities) become null, doubles are the
// shortest text that reads back the same, and bytes that are not UTF-8 become U+FFFD. The caller keeps the
// nesting right: a value without a key inside an object is a bug. Every function but take() returns this
// writer, so that calls chain.
class json_writer {
 public:
  // Indents each level by `indent` spaces; 0 writes one line.
  explicit json_writer(std::size_t indent = 0) : indent_(indent) {}

  // Begin and end an object or an array, whose elements stand on one line when `on_one_line` is true.
  json_writer& begin_object() { return open('{', false); }
  json_writer& end_object() { return close('}'); }
  json_writer& begin_array(bool on_one_line = false) { return open('[', on_one_line); }
  json_writer& end_array() { return close(']'); }
  // Writes the key of the next value of an object.
  json_writer& key(std::string_view name);

  // Write one value: a string, number or truth value.
  json_writer& value(std::string_view text);
  json_writer& value(const char* text) { return value(std::string_view(text)); }
  json_writer& value(double number);
  // Writes 2 as 2.0, for readers that distinguish real from whole numbers.
  json_writer& value_with_point(double number);
  // Write one value: a truth value or a whole number.
  json_writer& value(std::same_as<bool> auto yes) { return raw(yes ? "true" : "false"); }
  json_writer& value(std::signed_integral auto n) { return whole(static_cast<std::int64_t>(n)); }
  template <std::unsigned_integral N>
    requires(!std::same_as<N, bool>)
  json_writer& value(N n) {
    return whole(static_cast<std::uint64_t>(n));
  }
  // Writes null.
  json_writer& null() { return raw("null"); }

  // Writes a key and its value.
  template <class T>
  json_writer& field(std::string_view name, const T& x) {
    return key(name).value(x);
  }

  // Returns the text; the writer is used up.
  [[nodiscard]] std::string take() && { return std::move(text_); }

 private:
  struct level {
    bool empty = true;
    bool on_one_line = false;
  };
  json_writer& open(char bracket, bool on_one_line);
  json_writer& close(char bracket);
  json_writer& raw(std::string_view text);
  json_writer& whole(std::int64_t n);
  json_writer& whole(std::uint64_t n);
  void separate();
  void new_line();

  std::size_t indent_;
  std::vector<level> levels_{};
  bool after_key_ = false;
  std::string text_{};
};

}  // namespace ridge::model
