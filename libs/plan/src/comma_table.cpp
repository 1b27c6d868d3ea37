// SPDX-License-Identifier: Apache-2.0
#include "comma_table.hpp"

#include <utility>

namespace ridge::plan {
namespace {

using rows = std::vector<std::vector<std::string>>;

class reader {
 public:
  rows read(std::string_view text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
      const char c = text[at];
      if (!quoted_)
        plain(c);
      else if (c != '"')
        cell_ += c;
      else if (at + 1 < text.size() && text[at + 1] == '"')
        cell_ += text[++at];
      else
        quoted_ = false;
    }
    end_row();
    return std::move(rows_);
  }

 private:
  void plain(char c) {
    if (c == '"' && cell_.empty())
      quoted_ = true;
    else if (c == ',')
      end_cell();
    else if (c == '\n')
      end_row();
    else if (c != '\r')
      cell_ += c;
  }
  void end_cell() { row_.push_back(std::exchange(cell_, {})); }
  void end_row() {
    end_cell();
    if (row_.size() > 1 || !row_.front().empty()) rows_.push_back(std::move(row_));
    row_.clear();
  }

  rows rows_{};
  std::vector<std::string> row_{};
  std::string cell_{};
  bool quoted_ = false;
};

}  // namespace

rows comma_rows(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  if (text.starts_with(mark)) text.remove_prefix(mark.size());
  return reader().read(text);
}

}  // namespace ridge::plan
