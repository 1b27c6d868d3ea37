// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace ridge::plan::serve {

// The length of the JSON value at the start of `text`; 0 when there is none. Brackets and strings must be
// balanced; numbers and words are not checked.
[[nodiscard]] std::size_t json_value_length(std::string_view text);

// Iterates over the members of one object without copies or allocations. Keys and strings are not unescaped.
class json_members {
 public:
  explicit json_members(std::string_view object) : text_(object) { open(); }
  [[nodiscard]] bool next();  // false at the end, and where the text is not JSON
  [[nodiscard]] std::string_view key() const { return key_; }
  [[nodiscard]] std::string_view value() const { return value_; }
  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] std::size_t offset() const { return position_; }  // present position, or that of the error

 private:
  void open();
  void skip_space();
  [[nodiscard]] bool take(char c);
  [[nodiscard]] bool fail();
  std::string_view text_, key_{}, value_{};
  std::size_t position_ = 0;
  bool failed_ = false, first_ = true;
};

// Iterates over the elements of one array.
class json_elements {
 public:
  explicit json_elements(std::string_view array);
  [[nodiscard]] bool next();
  [[nodiscard]] std::string_view value() const { return value_; }
  [[nodiscard]] bool failed() const { return failed_; }

 private:
  std::string_view text_, value_{};
  std::size_t position_ = 0;
  bool failed_ = false, first_ = true;
};

[[nodiscard]] std::optional<std::string_view> json_member(std::string_view object, std::string_view key);
// The texts of the elements of the array member `key` of `object`; empty when there is none.
[[nodiscard]] std::vector<std::string_view> json_array(std::string_view object, std::string_view key);
// Removes the quotes around a string; other values are returned unchanged.
[[nodiscard]] std::string_view json_unquoted(std::string_view value);

}  // namespace ridge::plan::serve
