// SPDX-License-Identifier: Apache-2.0
#include <ridge/tui/grid.hpp>

#include <algorithm>
#include <limits>

#include <ridge/base/escape.hpp>
#include <ridge/base/expects.hpp>
#include <ridge/base/text.hpp>
#include <ridge/base/utf8.hpp>

namespace ridge::tui {
std::string one_line(std::string_view text) {
  auto line = terminal_escaped(text, std::numeric_limits<std::size_t>::max());
  std::ranges::replace(line, '\n', ' ');
  std::ranges::replace(line, '\t', ' ');
  return line;
}

const cell& grid::at(std::size_t column, std::size_t row) const {
  expects(column < columns_ && row < rows_, "a place inside the grid");
  return cells_[row * columns_ + column];
}

std::size_t grid::write(std::size_t column, std::size_t row, std::string_view text, look style,
                        std::size_t end) {
  end = std::min(end, columns_);
  if (row >= rows_) return column;
  const auto line = one_line(text);
  for (std::size_t i = 0; i < line.size();) {
    const auto length = std::max<std::size_t>(1, utf8_sequence_length(std::string_view(line).substr(i)));
    const auto character = line.substr(i, length);
    const auto width = display_width(character);
    i += length;
    if (width == 0) {  // a combining mark belongs to the cell before it
      constexpr std::size_t most_bytes = 32;
      if (column > 0 && column <= columns_) {
        auto& before = cells_[row * columns_ + column - 1].text;
        if (!before.empty() && before.size() + length <= most_bytes) before += character;
      }
      continue;
    }
    if (column + width > end) break;
    cells_[row * columns_ + column] = {character, style};
    for (std::size_t k = 1; k < width; ++k) cells_[row * columns_ + column + k] = {"", style};
    column += width;
  }
  return column;
}

std::size_t grid::write(std::size_t column, std::size_t row, const styled_line& line, std::size_t end) {
  for (const auto& part : line) column = write(column, row, part.text, part.look, end);
  return column;
}

void grid::paint_row(std::size_t row, look style) {
  if (row >= rows_) return;
  for (std::size_t column = 0; column < columns_; ++column) cells_[row * columns_ + column].look = style;
}

std::string grid::text() const {
  std::string all;
  for (std::size_t row = 0; row < rows_; ++row) {
    for (std::size_t column = 0; column < columns_; ++column) all += cells_[row * columns_ + column].text;
    while (all.ends_with(' ')) all.pop_back();
    all += '\n';
  }
  return all;
}

}  // namespace ridge::tui
