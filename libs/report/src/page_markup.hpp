// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridge::report {

// A cell of a table on a page; its text is not yet escaped.
struct page_cell {
  page_cell(std::string words, std::string style = "", std::string below = "")
      : text(std::move(words)), kind(std::move(style)), note(std::move(below)) {}
  page_cell(const char* words) : text(words) {}
  std::string text;
  std::string kind{};    // the classes of the cell
  std::string note{};    // a smaller line below the text
  std::string anchor{};  // of this page, which the text links to
};

// Builds HTML; every text that it is given is escaped.
class page_markup final {
 public:
  // Writes an element with this text.
  void element(std::string_view tag, std::string_view text, std::string_view kind = "",
               std::string_view id = "");
  // Writes markup as it is.
  void raw(std::string_view markup) { out_ += markup; }

  // Writes a table that scrolls by itself where it is too wide: a caption, a row of headers, and rows whose
  // first cell heads them.
  void table(std::string_view caption, const std::vector<std::string>& headers,
             const std::vector<std::vector<page_cell>>& rows);

  [[nodiscard]] std::string take() && { return std::move(out_); }

 private:
  void cell(std::string_view tag, const page_cell& cell);
  std::string out_{};
};

// Returns a text as a name for an anchor: letters, digits, dots and dashes alone.
[[nodiscard]] std::string anchor_of(std::string_view text);

}  // namespace ridge::report
