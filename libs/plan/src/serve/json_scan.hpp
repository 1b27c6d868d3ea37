// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace ridge::plan::serve {

// The length of the JSON value that `text` begins with; 0 where none stands there. Brackets and strings are
// balanced, numbers and words are taken as they are.
[[nodiscard]] std::size_t json_value_length(std::string_view text);

// Walks over the members of one object, without a copy and without an allocation. Keys and strings come as
// they stand in the text, escapes included.
class json_members {
 public:
  explicit json_members(std::string_view object) : text_(object) { open(); }
  [[nodiscard]] bool next();  // false at the end, and where the text is no JSON
  [[nodiscard]] std::string_view key() const { return key_; }
  [[nodiscard]] std::string_view value() const { return value_; }
  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] std::size_t offset() const { return at_; }  // where it stands, or failed

 private:
  void open();
  void skip_space();
  [[nodiscard]] bool take(char c);
  [[nodiscard]] bool fail();
  std::string_view text_, key_{}, value_{};
  std::size_t at_ = 0;
  bool failed_ = false, first_ = true;
};

// Walks over the elements of one array.
class json_elements {
 public:
  explicit json_elements(std::string_view array);
  [[nodiscard]] bool next();
  [[nodiscard]] std::string_view value() const { return value_; }
  [[nodiscard]] bool failed() const { return failed_; }

 private:
  std::string_view text_, value_{};
  std::size_t at_ = 0;
  bool failed_ = false, first_ = true;
};

[[nodiscard]] std::optional<std::string_view> json_member(std::string_view object, std::string_view key);
// The elements of the array that `key` names in `object`, as they stand in the text; empty where there is
// none.
[[nodiscard]] std::vector<std::string_view> json_array(std::string_view object, std::string_view key);
// "abc" in quotes -> abc; other values as they are.
[[nodiscard]] std::string_view json_unquoted(std::string_view value);

}  // namespace ridge::plan::serve
