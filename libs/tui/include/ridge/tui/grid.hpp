// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/report/tone.hpp>

namespace ridge::tui {

// How a cell looks. What a look says, words or signs say as well: some terminals show no looks.
struct look {
  report::tone tone = report::tone::plain;
  bool reversed = false;  // the row that is selected, the tab that is shown
  bool underlined = false;
  bool operator==(const look&) const = default;
};

// One column of one line: a character with its combining marks; empty behind a character of two columns.
struct cell {
  std::string text{" "};
  tui::look look{};
  bool operator==(const cell&) const = default;
};

// A part of a line with its look.
struct span {
  std::string text{};
  tui::look look{};
};
using styled_line = std::vector<span>;

// What a terminal shows, line by line. Screens are drawn into a grid; only the grid is sent to a terminal,
// compared in tests or printed.
class grid final {
 public:
  grid(std::size_t columns, std::size_t rows) : columns_(columns), rows_(rows), cells_(columns * rows) {}

  // Return its size.
  [[nodiscard]] std::size_t columns() const { return columns_; }
  [[nodiscard]] std::size_t rows() const { return rows_; }
  // Returns the cell at a place inside the grid.
  [[nodiscard]] const cell& at(std::size_t column, std::size_t row) const;

  // Writes a text from a cell on and returns the column behind it. Nothing is written at or behind the column
  // `end` or outside the grid. Control characters, escape sequences and bytes that are no UTF-8 are shown as
  // \xNN; the text is one line.
  std::size_t write(std::size_t column, std::size_t row, std::string_view text, look style = {},
                    std::size_t end = SIZE_MAX);
  // Writes the parts of a line one behind another.
  std::size_t write(std::size_t column, std::size_t row, const styled_line& line, std::size_t end = SIZE_MAX);
  // Gives every cell of a row this look.
  void paint_row(std::size_t row, look style);

  // Returns the lines without trailing spaces, each with a newline.
  [[nodiscard]] std::string text() const;

 private:
  std::size_t columns_, rows_;
  std::vector<cell> cells_;
};

// Returns the text, which may contain newlines, as lines. The codes of report::paint give looks; every other
// control character is shown as \xNN.
[[nodiscard]] std::vector<styled_line> styled_lines(std::string_view painted);

// Returns a text as one line that moves no cursor: control characters, escape sequences and bytes that are no
// UTF-8 as \xNN, newlines and tabs as spaces.
[[nodiscard]] std::string one_line(std::string_view text);

// Returns the text in so many columns at most, with an ellipsis where it was cut.
[[nodiscard]] std::string fitted(std::string_view text, std::size_t columns);

// Returns each text in so many columns at most: what report::field::fit asks for.
[[nodiscard]] std::vector<std::string> all_fitted(const std::vector<std::string>& texts, std::size_t columns);

// Returns the text in ASCII: braille by the number of its dots, lines as - | +, "µ" as u, "×" as x; any other
// character is "?".
[[nodiscard]] std::string ascii_of(std::string_view text);

}  // namespace ridge::tui
