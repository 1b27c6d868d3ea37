// SPDX-License-Identifier: Apache-2.0
#include "braille_grid.hpp"

#include <algorithm>
#include <cmath>

namespace ridge::report {
namespace {

// Unicode 15, block Braille Patterns: the bit of each dot of a cell, by row and column.
constexpr unsigned char bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};

std::string braille(unsigned char dots) {
  return {static_cast<char>(0xe2), static_cast<char>(0xa0 + (dots >> 6)),
          static_cast<char>(0x80 + (dots & 0x3f))};
}

std::vector<std::string> characters_of(std::string_view words) {
  std::vector<std::string> all;
  for (const char c : words) {
    const bool continued = (static_cast<unsigned char>(c) & 0xc0u) == 0x80u;
    if (continued && !all.empty()) {
      all.back() += c;
    } else {
      all.emplace_back(1, c);
    }
  }
  return all;
}

}  // namespace

braille_grid::braille_grid(std::size_t columns, std::size_t rows)
    : columns_(columns), rows_(rows), cells_(columns * rows) {}

void braille_grid::dot(int x, int y) {
  if (x < 0 || y < 0) return;
  const auto column = static_cast<std::size_t>(x) / 2, line = static_cast<std::size_t>(y) / 4;
  if (column >= columns_ || line >= rows_) return;
  auto& dots = cells_[line * columns_ + column].dots;
  dots = static_cast<unsigned char>(dots | bits[y % 4][x % 2]);
}

void braille_grid::line(double x0, double y0, double x1, double y1, int every) {
  const int steps = static_cast<int>(std::ceil(std::max(std::abs(x1 - x0), std::abs(y1 - y0))));
  for (int i = 0; i <= steps; i += every) {
    const double t = steps == 0 ? 0 : static_cast<double>(i) / steps;
    dot(static_cast<int>(std::lround(x0 + t * (x1 - x0))), static_cast<int>(std::lround(y0 + t * (y1 - y0))));
  }
}

bool braille_grid::text(int column, int row, std::string_view words, tone colour) {
  const auto letters = characters_of(words);
  if (column < 0 || row < 0 || static_cast<std::size_t>(row) >= rows_ ||
      static_cast<std::size_t>(column) + letters.size() > columns_)
    return false;
  const auto first = cells_.begin() + row * static_cast<std::ptrdiff_t>(columns_) + column;
  const auto last = first + static_cast<std::ptrdiff_t>(letters.size());
  if (std::any_of(first, last, [](const cell& c) { return !c.over.empty(); })) return false;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    auto& under = first[static_cast<std::ptrdiff_t>(i)];
    under.over = letters[i];
    under.emphasis = colour;
  }
  return true;
}

std::string braille_grid::row(std::size_t index, bool color) const {
  std::string out;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < columns_; ++i) {
    const auto& c = cells_[index * columns_ + i];
    if (c.over.empty() && c.dots == 0) {
      out += ' ';
      continue;
    }
    out += c.over.empty() ? braille(c.dots) : paint(c.over, c.emphasis, color);
    kept = out.size();
  }
  out.resize(kept);
  return out;
}

}  // namespace ridge::report
