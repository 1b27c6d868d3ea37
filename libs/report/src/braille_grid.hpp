// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/report/tone.hpp>

namespace ridge::report {

// Character cells of two by four braille dots, with texts over them. Dots are square on most terminals.
class braille_grid final {
 public:
  braille_grid(std::size_t columns, std::size_t rows);

  // Sets a dot, counted from the upper left corner; dots outside are ignored.
  void dot(int x, int y);
  void line(double x0, double y0, double x1, double y1, int every = 1);

  // Writes a text from this cell on; returns false and writes nothing where another text stands or it does
  // not fit.
  bool text(int column, int row, std::string_view words, tone colour = tone::plain);

  [[nodiscard]] std::size_t columns() const { return columns_; }
  [[nodiscard]] std::size_t rows() const { return rows_; }
  // Returns one row of cells without trailing spaces.
  [[nodiscard]] std::string row(std::size_t index, bool color) const;

 private:
  struct cell {
    unsigned char dots = 0;
    std::string over{};
    tone emphasis = tone::plain;
  };
  std::size_t columns_, rows_;
  std::vector<cell> cells_;
};

}  // namespace ridge::report
