// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <ridge/report/tone.hpp>

namespace ridge::report {

enum class align : bool { left, right };

// The header and alignment of a column.
struct column {
  std::string header{};
  report::align align{report::align::left};
};

// The text of one cell and its tone.
struct cell {
  cell(const char* words) : text(words) {}
  cell(std::string words, tone t = tone::plain) : text(std::move(words)), emphasis(t) {}
  std::string text;
  tone emphasis = tone::plain;
};

// The room that text has on a terminal, and whether it may be coloured.
struct layout {
  std::size_t columns = 100;  // no line is wider, unless the columns leave no room at all
  std::size_t indent = 0;
  bool color = false;
};

// A text table: columns two spaces apart, each as wide as its widest cell. Too wide a table wraps its last
// column, then cuts its first with an ellipsis. Columns with nothing but a header are left out, and so is a
// header line of empty headers.
class table {
 public:
  // Makes an empty table with these columns.
  explicit table(std::vector<column> columns) : columns_(std::move(columns)) {}

  // Adds a row with one cell for each column.
  void row(std::vector<cell> cells);

  // Adds a line of its own under the last row, indented and wrapped.
  void note(std::string text, std::size_t indent = 2);
  // Adds a line of its own above the rows that follow, which stand two columns further right.
  void heading(std::string text);

  // Returns whether there is neither a row nor a note.
  [[nodiscard]] bool empty() const { return lines_.empty(); }

  // Returns the table as text. Every line ends in a newline; none ends in a space.
  [[nodiscard]] std::string text(const layout& layout = {}) const;

 private:
  struct line {
    std::vector<cell> cells{};
    std::string note{};
    std::size_t indent = 0;
    bool is_heading = false;
  };
  [[nodiscard]] std::vector<std::size_t> widths(const layout& layout) const;
  void append_row(std::string& out, const std::vector<cell>& cells, const std::vector<std::size_t>& widths,
                  const layout& layout) const;

  std::vector<column> columns_;
  std::vector<line> lines_{};
  bool has_headings_ = false;
};

}  // namespace ridge::report
