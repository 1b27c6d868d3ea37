// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ridge::trace_c {

// Texts as one run of bytes and the places where each begins, with the end of the last.
struct text_values {
  std::vector<std::int64_t> offsets{0};
  std::string bytes{};

  void add(std::string_view text);
};

using integers = std::vector<std::int64_t>;
using doubles = std::vector<double>;

struct column {
  std::string name{};
  std::variant<integers, doubles, text_values> values{};

  [[nodiscard]] std::size_t rows() const;
};

// Columns of one length. References that the three functions return stay valid as columns are added.
class table {
 public:
  [[nodiscard]] integers& add_integers(std::string name);
  [[nodiscard]] doubles& add_doubles(std::string name);
  [[nodiscard]] text_values& add_texts(std::string name);

  [[nodiscard]] const std::deque<column>& columns() const { return columns_; }
  [[nodiscard]] std::deque<column>& columns() { return columns_; }
  [[nodiscard]] std::size_t rows() const { return columns_.empty() ? 0 : columns_.front().rows(); }

 private:
  template <class Values>
  Values& add(std::string name);
  std::deque<column> columns_{};
};

}  // namespace ridge::trace_c
